package io.millrace.model;

/**
 * Free text on one line: names of jobs and files, reasons, messages. It contains no control, formatting (such as a change of the writing
 * direction), line-separator or unpaired surrogate characters. They could forge lines of logs, headers of mail, or what a terminal shows.
 *
 * <p>A request with other text is refused with its {@link #fault}, because its sender can correct it. Text of a workload manager or a file
 * system cannot be refused, so it is escaped ({@link #escaped}).
 */
public final class Text {

    private static final String ESCAPE = "\\u%04x";

    private Text() {}

    /** Whether the text is on one line and prints as it is. */
    public static boolean isPlain(final String text) {
        return firstOther(text) < 0;
    }

    /** What is wrong with a text that is not plain, such as "must not contain control ... characters; remove U+001B at character 5". */
    public static String fault(final String text) {
        final int at = Math.max(0, firstOther(text));
        return "must not contain control, formatting or line-separator characters; remove U+%04X at character %d"
                .formatted(text.codePointAt(at), at + 1);
    }

    /** The text with each other character as {@code \}{@code uXXXX}, which is also the escape of JSON strings. */
    public static String escaped(final String text) {
        return escaped(text, false);
    }

    /** Like {@link #escaped}, but keeps line feeds and tabs. */
    public static String escapedLines(final String text) {
        return escaped(text, true);
    }

    private static String escaped(final String text, final boolean lines) {
        if (isPlain(text)) {
            return text;
        }
        final StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (isPlain(c) || lines && (c == '\n' || c == '\t')) {
                escaped.appendCodePoint(c);
            } else {
                for (final char unit : Character.toChars(c)) {
                    escaped.append(ESCAPE.formatted((int) unit));
                }
            }
        });
        return escaped.toString();
    }

    private static int firstOther(final String text) {
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (c >= ' ' && c < 0x7f) {
                continue;
            }
            final int point = text.codePointAt(i);
            if (!isPlain(point)) {
                return i;
            }
            i += Character.charCount(point) - 1;
        }
        return -1;
    }

    private static boolean isPlain(final int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> false;
            default -> true;
        };
    }
}
