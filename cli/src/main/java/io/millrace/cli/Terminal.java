package io.millrace.cli;

import java.util.Map;

/**
 * What the other side of our output can show.
 *
 * @param outIsTerminal standard output is a terminal
 * @param columns its width; 0 means unlimited
 * @param colours whether to use them
 */
record Terminal(boolean outIsTerminal, boolean errIsTerminal, int columns, boolean colours) {

    private static final int USUAL = 80;

    /** The launcher looks ({@code test -t}), since a JVM cannot tell the two streams apart. */
    static Terminal of(final Map<String, String> environment) {
        final boolean out = "1".equals(environment.get("MILLRACE_TTY_OUT"));
        final boolean err = "1".equals(environment.get("MILLRACE_TTY_ERR"));
        final boolean plain = environment.containsKey("NO_COLOR") || "dumb".equals(environment.get("TERM"));
        return new Terminal(out, err, out ? columns(environment) : 0, out && !plain);
    }

    private static int columns(final Map<String, String> environment) {
        try {
            return Integer.parseInt(environment.getOrDefault("COLUMNS", String.valueOf(USUAL)));
        } catch (NumberFormatException e) {
            return USUAL;
        }
    }

    String coloured(final String text, final Colour colour) {
        return colours && colour != Colour.NONE ? "\u001b[" + colour.code + "m" + text + "\u001b[0m" : text;
    }

    enum Colour {
        NONE(0),
        RED(31),
        GREEN(32),
        YELLOW(33),
        BLUE(34),
        DIM(2);

        private final int code;

        Colour(final int code) {
            this.code = code;
        }
    }
}
