package io.millrace.quota.files.libconfig;

import org.jspecify.annotations.Nullable;

/** Goes through a text word by word; blanks and comments ({@code #}, {@code //}, {@code /* *}{@code /}) are passed over. */
final class Lexer {

    private final String text;
    private final @Nullable String file;
    private int here;
    private int line = 1;
    private int lineStart;

    /** @param file for places; null: the file that was asked for */
    Lexer(final String text, final @Nullable String file) {
        this.file = file;
        this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
        skip();
    }

    boolean atEnd() {
        return here >= text.length();
    }

    Value.Position place() {
        return new Value.Position(file, line, here - lineStart + 1);
    }

    SyntaxError wrong(final String what) {
        return new SyntaxError(place(), what);
    }

    boolean isAt(final char wanted) {
        return !atEnd() && text.charAt(here) == wanted;
    }

    /** Passes this character, if it is next. */
    boolean take(final char wanted) {
        if (!isAt(wanted)) {
            return false;
        }
        step();
        skip();
        return true;
    }

    /** Passes {@code @include "file"} and returns the name of the file. */
    String include() {
        final Value.Position at = place();
        take('@');
        if (!name().equals("include") || !isAt('"')) {
            throw new SyntaxError(at, "expected @include \"file\"");
        }
        return strings();
    }

    /** The name of a setting. */
    String name() {
        final int from = here;
        while (!atEnd() && isNameChar(text.charAt(here))) {
            step();
        }
        final String name = text.substring(from, here);
        if (name.isEmpty() || !(Character.isLetter(name.charAt(0)) || name.charAt(0) == '*')) {
            throw wrong(atEnd() ? "the file ends too early" : "expected the name of a setting");
        }
        skip();
        return name;
    }

    private static boolean isNameChar(final char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '-' || c == '*';
    }

    /** A bare word: a number or a boolean. */
    String word() {
        final int from = here;
        while (!atEnd() && (Character.isLetterOrDigit(text.charAt(here)) || "+-.".indexOf(text.charAt(here)) >= 0)) {
            step();
        }
        if (from == here) {
            throw wrong(atEnd() ? "the file ends too early, a value is missing" : "expected a value");
        }
        final String word = text.substring(from, here);
        skip();
        return word;
    }

    /** One string, or several that stand next to each other and are one. */
    String strings() {
        final StringBuilder all = new StringBuilder();
        while (isAt('"')) {
            all.append(string());
            skip();
        }
        return all.toString();
    }

    private String string() {
        final Value.Position opened = place();
        final StringBuilder said = new StringBuilder();
        step();
        while (!isAt('"')) {
            if (atEnd()) {
                throw new SyntaxError(opened, "the string that begins here has no end");
            }
            said.append(isAt('\\') ? escaped() : text.charAt(here));
            step();
        }
        step();
        return said.toString();
    }

    /** Leaves the position on the last character of the escape. */
    private char escaped() {
        step();
        if (atEnd()) {
            throw wrong("the file ends within an escape");
        }
        return switch (text.charAt(here)) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'f' -> '\f';
            case 'x' -> hex();
            default -> text.charAt(here);
        };
    }

    private char hex() {
        if (here + 2 >= text.length() || !text.substring(here + 1, here + 3).matches("[0-9A-Fa-f]{2}")) {
            throw wrong("expected two hexadecimal digits after \\x");
        }
        final char read = (char) Integer.parseInt(text.substring(here + 1, here + 3), 16);
        here += 2;
        return read;
    }

    private void step() {
        if (text.charAt(here) == '\n') {
            line++;
            lineStart = here + 1;
        }
        here++;
    }

    private void skip() {
        while (!atEnd()) {
            if (Character.isWhitespace(text.charAt(here))) {
                step();
            } else if (isAt('#') || text.startsWith("//", here)) {
                while (!atEnd() && !isAt('\n')) {
                    step();
                }
            } else if (text.startsWith("/*", here)) {
                comment();
            } else {
                return;
            }
        }
    }

    private void comment() {
        final Value.Position opened = place();
        final int end = text.indexOf("*/", here + 2);
        if (end < 0) {
            throw new SyntaxError(opened, "the comment that begins here has no end");
        }
        while (here < end + 2) {
            step();
        }
    }
}
