package io.millrace.cli.text;

import io.millrace.model.Text;

/**
 * Prints every line of the commands, except the content of files. Control, formatting and line-separator characters are escaped as in JSON
 * strings, so that no name and no reason can move the cursor, change colours, hide text or look like another line.
 */
public final class Printer {

    private static final String COLOUR = Text.escaped(Terminal.ESCAPE);

    private Printer() {}

    /** One line to standard output. */
    public static void out(final String line) {
        System.out.println(line(line));
    }

    /** One line to standard error. */
    public static void err(final String line) {
        System.err.println(line(line));
    }

    /** Several lines to standard error. Their writer escaped what came from elsewhere. */
    public static void errBlock(final String lines) {
        System.err.println(Text.escapedLines(lines));
    }

    /** Several lines to standard output, such as JSON, whose strings contain no line feeds. */
    public static void block(final String lines) {
        System.out.println(Text.escapedLines(lines));
    }

    /** A question, without a line feed at its end. */
    public static void ask(final String question) {
        System.err.print(line(question));
        System.err.flush();
    }

    public static void clear() {
        System.out.print("\u001b[H\u001b[2J");
    }

    /** The line with the colours of {@link Terminal#coloured}, and no other escape sequence. */
    public static String line(final String text) {
        return Text.escaped(text).replace(COLOUR, "\u001b[");
    }
}
