package io.millrace.model;

import java.util.Arrays;
import java.util.logging.LogRecord;

/** Keeps each log message on one line and without control characters, so that no text of a user can forge a line. */
public final class OneLineRecords {

    private OneLineRecords() {}

    /** Changes the record; never drops it. */
    public static boolean kept(final LogRecord record) {
        final Object[] parameters = record.getParameters();
        if (parameters != null && parameters.length > 0) {
            record.setParameters(
                    Arrays.stream(parameters).map(OneLineRecords::plain).toArray());
        } else if (record.getMessage() != null && !Text.isPlain(record.getMessage())) {
            record.setMessage(Text.escaped(record.getMessage()));
        }
        return true;
    }

    private static Object plain(final Object parameter) {
        return parameter instanceof CharSequence text ? Text.escaped(text.toString()) : parameter;
    }
}
