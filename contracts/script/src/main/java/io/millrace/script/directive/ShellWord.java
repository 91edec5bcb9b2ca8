package io.millrace.script.directive;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of a directive line.
 *
 * @param value without quotes and escapes
 * @param raw as written
 */
record ShellWord(String value, String raw) {

    /** Splits like a shell without expansions; {@code #} at the start of a word starts a comment. */
    static List<ShellWord> split(final String line) throws DirectiveSyntaxException {
        final List<ShellWord> words = new ArrayList<>();
        int at = 0;
        while (true) {
            while (at < line.length() && isBlank(line.charAt(at))) {
                at++;
            }
            if (at >= line.length() || line.charAt(at) == '#') {
                return words;
            }
            final StringBuilder value = new StringBuilder();
            final int end = word(line, at, value);
            words.add(new ShellWord(value.toString(), line.substring(at, end)));
            at = end;
        }
    }

    private static int word(final String line, final int start, final StringBuilder value)
            throws DirectiveSyntaxException {
        int at = start;
        while (at < line.length() && !isBlank(line.charAt(at))) {
            final char c = line.charAt(at);
            if (c == '\'' || c == '"') {
                at = quoted(line, at, c, value);
            } else if (c == '\\' && at + 1 < line.length()) {
                value.append(line.charAt(at + 1));
                at += 2;
            } else {
                value.append(c);
                at++;
            }
        }
        return at;
    }

    private static int quoted(final String line, final int start, final char quote, final StringBuilder value)
            throws DirectiveSyntaxException {
        int at = start + 1;
        while (at < line.length()) {
            final char c = line.charAt(at);
            if (c == quote) {
                return at + 1;
            }
            if (c == '\\' && quote == '"' && at + 1 < line.length() && "\"\\$`".indexOf(line.charAt(at + 1)) >= 0) {
                value.append(line.charAt(at + 1));
                at += 2;
                continue;
            }
            value.append(c);
            at++;
        }
        throw new DirectiveSyntaxException("unclosed quote " + quote);
    }

    private static boolean isBlank(final char c) {
        return c == ' ' || c == '\t' || c == '\f';
    }
}
