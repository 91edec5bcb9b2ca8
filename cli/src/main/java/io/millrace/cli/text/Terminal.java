package io.millrace.cli.text;

import java.util.Map;
import java.util.SplittableRandom;

/**
 * The properties of standard output and standard error.
 *
 * @param outIsTerminal whether standard output is a terminal
 * @param errIsTerminal whether standard error is a terminal
 * @param columns width of standard output; 0: unlimited
 * @param colours whether to colour standard output
 */
public record Terminal(boolean outIsTerminal, boolean errIsTerminal, int columns, boolean colours) {

    private static final int DEFAULT_COLUMNS = 80;

    /** Begins an escape sequence of this process for {@link Printer}. Text from elsewhere cannot contain it, because it is random. */
    static final String ESCAPE = "\u001b" + Long.toHexString(new SplittableRandom().nextLong()) + "[";

    /** Reads the result of {@code test -t} by the launcher, because the JVM cannot check the two streams separately. */
    public static Terminal of(final Map<String, String> environment) {
        final boolean out = "1".equals(environment.get("MILLRACE_TTY_OUT"));
        final boolean err = "1".equals(environment.get("MILLRACE_TTY_ERR"));
        final boolean plain = environment.containsKey("NO_COLOR") || "dumb".equals(environment.get("TERM"));
        return new Terminal(out, err, out ? columns(environment) : 0, out && !plain);
    }

    private static int columns(final Map<String, String> environment) {
        try {
            return Integer.parseInt(environment.getOrDefault("COLUMNS", String.valueOf(DEFAULT_COLUMNS)));
        } catch (NumberFormatException e) {
            return DEFAULT_COLUMNS;
        }
    }

    String coloured(final String text, final Colour colour) {
        return colours && colour != Colour.NONE ? ESCAPE + colour.code + "m" + text + ESCAPE + "0m" : text;
    }

    public enum Colour {
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
