package io.millrace.model;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.logging.LogRecord;

/**
 * Keeps each log message on one line and without control characters, so that no text of a user can forge a line. In a stack trace, further
 * lines of an exception's message are indented.
 */
public final class OneLineRecords {

    private OneLineRecords() {}

    /**
     * Changes the record; never drops it.
     *
     * @param message sets the message. {@link LogRecord#setMessage} would make a format of it, in which braces of a user are an error
     */
    public static boolean kept(final LogRecord record, final Consumer<String> message) {
        final Object[] parameters = record.getParameters();
        if (parameters != null) {
            record.setParameters(
                    Arrays.stream(parameters).map(OneLineRecords::plain).toArray());
        }
        if (record.getMessage() != null && !Text.isPlain(record.getMessage())) {
            message.accept(Text.escaped(record.getMessage()));
        }
        if (record.getThrown() != null) {
            record.setThrown(EscapedThrowable.of(record.getThrown()));
        }
        return true;
    }

    /** Any object can contain text of a user, such as an exception or a name. Numbers stay, because they have formats of their own. */
    private static Object plain(final Object parameter) {
        if (parameter == null || parameter instanceof Number) {
            return parameter;
        }
        final String text = String.valueOf(parameter);
        return Text.isPlain(text) ? parameter : Text.escaped(text);
    }
}
