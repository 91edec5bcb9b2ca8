package io.millrace.cli.text;

import io.millrace.model.Text;

/** Measures and cuts text by the columns that it occupies on a terminal. */
public final class TerminalText {

    private static final String ELLIPSIS = "…";

    private TerminalText() {}

    static int width(final String text) {
        return text.codePoints().map(TerminalText::width).sum();
    }

    private static int width(final int c) {
        final int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK
                || type == Character.ENCLOSING_MARK
                || type == Character.FORMAT
                || type == Character.CONTROL) {
            return 0;
        }
        return isWide(c) ? 2 : 1;
    }

    /** Whether the character is an East Asian wide or full-width form, or a pictograph. */
    private static boolean isWide(final int c) {
        return c >= 0x1100
                && (c <= 0x115F
                        || c >= 0x2E80 && c <= 0xA4CF && c != 0x303F
                        || c >= 0xAC00 && c <= 0xD7A3
                        || c >= 0xF900 && c <= 0xFAFF
                        || c >= 0xFE30 && c <= 0xFE6F
                        || c >= 0xFF00 && c <= 0xFF60
                        || c >= 0xFFE0 && c <= 0xFFE6
                        || c >= 0x1F300 && c <= 0x1FAFF
                        || c >= 0x20000 && c <= 0x3FFFD);
    }

    /** Cuts the text with an ellipsis, or pads it with blanks, to exactly {@code columns} columns. */
    static String fit(final String text, final int columns, final boolean right) {
        final String cut = cut(text, columns);
        final String blanks = " ".repeat(columns - width(cut));
        return right ? blanks + cut : cut + blanks;
    }

    static String cut(final String text, final int columns) {
        if (width(text) <= columns) {
            return text;
        }
        final StringBuilder kept = new StringBuilder();
        int used = 0;
        for (final int c : text.codePoints().toArray()) {
            if (used + width(c) > columns - 1) {
                break;
            }
            kept.appendCodePoint(c);
            used += width(c);
        }
        return columns < 1 ? "" : kept + ELLIPSIS;
    }

    /** Escapes what {@link Printer} would escape, so that it counts for the width. */
    public static String printable(final String text) {
        return Text.escaped(text);
    }
}
