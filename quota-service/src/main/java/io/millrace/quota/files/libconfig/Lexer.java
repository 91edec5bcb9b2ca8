package io.millrace.quota.files.libconfig;

import org.jspecify.annotations.Nullable;

/** Splits a text into tokens; skips blanks and comments ({@code #}, {@code //}, {@code /* *}{@code /}). */
final class Lexer {

    private final String text;
    private final @Nullable String file;
    private int position;
    private int line = 1;
    private int lineStart;

    /** @param file the included file, for positions; null: the main file */
    Lexer(final String text, final @Nullable String file) {
        this.file = file;
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        skip();
    }

    boolean atEnd() {
        return position >= text.length();
    }

    Value.Position position() {
        return new Value.Position(file, line, position - lineStart + 1);
    }

    SyntaxError error(final String what) {
        return new SyntaxError(position(), what);
    }

    boolean isAt(final char wanted) {
        return !atEnd() && text.charAt(position) == wanted;
    }

    /** Consumes this character if it is next. */
    boolean take(final char wanted) {
        if (!isAt(wanted)) {
            return false;
        }
        step();
        skip();
        return true;
    }

    /** Consumes {@code @include "file"} and returns the file name. */
    String include() {
        final Value.Position at = position();
        take('@');
        if (!name().equals("include") || !isAt('"')) {
            throw new SyntaxError(at, "expected @include \"file\"");
        }
        return strings();
    }

    /** The name of a setting. */
    String name() {
        final int from = position;
        while (!atEnd() && isNameChar(text.charAt(position))) {
            step();
        }
        final String name = text.substring(from, position);
        if (name.isEmpty() || !(Character.isLetter(name.charAt(0)) || name.charAt(0) == '*')) {
            throw error(atEnd() ? "unexpected end of file" : "expected the name of a setting");
        }
        skip();
        return name;
    }

    private static boolean isNameChar(final char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '*';
    }

    /** A bare word: a number or a boolean. */
    String word() {
        final int from = position;
        while (!atEnd()
                && (Character.isLetterOrDigit(text.charAt(position)) || "+-.".indexOf(text.charAt(position)) >= 0)) {
            step();
        }
        if (from == position) {
            throw error(atEnd() ? "unexpected end of file: a value is missing" : "expected a value");
        }
        final String word = text.substring(from, position);
        skip();
        return word;
    }

    /** A string, or several adjacent strings, which are joined. */
    String strings() {
        final StringBuilder all = new StringBuilder();
        while (isAt('"')) {
            all.append(string());
            skip();
        }
        return all.toString();
    }

    private String string() {
        final Value.Position opened = position();
        final StringBuilder content = new StringBuilder();
        step();
        while (!isAt('"')) {
            if (atEnd()) {
                throw new SyntaxError(opened, "unterminated string: add a closing quotation mark");
            }
            content.append(isAt('\\') ? escaped() : text.charAt(position));
            step();
        }
        step();
        return content.toString();
    }

    /** Leaves the position on the last character of the escape. */
    private char escaped() {
        step();
        if (atEnd()) {
            throw error("unexpected end of file in an escape sequence");
        }
        return switch (text.charAt(position)) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'f' -> '\f';
            case 'x' -> hex();
            default -> text.charAt(position);
        };
    }

    private char hex() {
        if (position + 2 >= text.length()
                || !text.substring(position + 1, position + 3).matches("[0-9A-Fa-f]{2}")) {
            throw error("expected two hexadecimal digits after \\x");
        }
        final char read = (char) Integer.parseInt(text.substring(position + 1, position + 3), 16);
        position += 2;
        return read;
    }

    private void step() {
        if (text.charAt(position) == '\n') {
            line++;
            lineStart = position + 1;
        }
        position++;
    }

    private void skip() {
        while (!atEnd()) {
            if (Character.isWhitespace(text.charAt(position))) {
                step();
            } else if (isAt('#') || text.startsWith("//", position)) {
                while (!atEnd() && !isAt('\n')) {
                    step();
                }
            } else if (text.startsWith("/*", position)) {
                comment();
            } else {
                return;
            }
        }
    }

    private void comment() {
        final Value.Position opened = position();
        final int end = text.indexOf("*/", position + 2);
        if (end < 0) {
            throw new SyntaxError(opened, "unterminated comment: add */");
        }
        while (position < end + 2) {
            step();
        }
    }
}
