package io.millrace.model;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An exception as a log may show it: with the same stack trace, causes and text, whose other characters are escaped. */
final class EscapedThrowable extends Throwable {

    private static final long serialVersionUID = 1L;
    /** Causes can form a circle. */
    private static final int DEEPEST = 50;

    private final String text;

    private EscapedThrowable(final Throwable original, final @Nullable Throwable cause, final int depth) {
        super(null, cause, true, true);
        this.text = escaped(original.toString());
        setStackTrace(original.getStackTrace());
        for (final Throwable suppressed : original.getSuppressed()) {
            addSuppressed(of(suppressed, depth + 1));
        }
    }

    /** The same exception if its text, and that of its causes, prints as it is. */
    static Throwable of(final Throwable original) {
        return isPlain(original, 0) ? original : of(original, 0);
    }

    private static Throwable of(final Throwable original, final int depth) {
        final Throwable cause = original.getCause();
        return new EscapedThrowable(original, cause == null || depth > DEEPEST ? null : of(cause, depth + 1), depth);
    }

    private static boolean isPlain(final Throwable original, final int depth) {
        final Throwable cause = original.getCause();
        if (depth > DEEPEST || !Text.isPlain(original.toString()) || cause != null && !isPlain(cause, depth + 1)) {
            return false;
        }
        for (final Throwable suppressed : original.getSuppressed()) {
            if (!isPlain(suppressed, depth + 1)) {
                return false;
            }
        }
        return true;
    }

    /** Messages of databases and parsers have several lines, which must not look like lines of the log. */
    private static String escaped(final String text) {
        return text.lines().map(Text::escaped).collect(Collectors.joining("\n\t"));
    }

    @Override
    public String toString() {
        return text;
    }
}
