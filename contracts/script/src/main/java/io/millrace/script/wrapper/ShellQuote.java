package io.millrace.script.wrapper;

/** Quotes text as one bash word on one line that is never evaluated. A line break in a value must not look like a directive. */
public final class ShellQuote {

    private ShellQuote() {}

    public static String of(final String text) {
        final boolean plain = text.chars().noneMatch(Character::isISOControl);
        return plain ? "'" + text.replace("'", "'\\''") + "'" : ansi(text);
    }

    private static String ansi(final String text) {
        final StringBuilder out = new StringBuilder("$'");
        text.codePoints().forEach(c -> {
            if (c == '\'' || c == '\\') {
                out.append('\\').appendCodePoint(c);
            } else if (c == 0) {
                throw new IllegalArgumentException(
                        "a variable or an argument of a job must not contain a NUL character");
            } else if (c < 0x20 || c == 0x7f) {
                out.append(String.format("\\%03o", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.append('\'').toString();
    }
}
