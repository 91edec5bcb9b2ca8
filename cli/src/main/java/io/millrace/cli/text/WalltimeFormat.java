package io.millrace.cli.text;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/** Formats walltimes as Slurm does. */
public final class WalltimeFormat {

    private WalltimeFormat() {}

    /**
     * Formats an ISO 8601 duration as {@code 1-02:00:00}.
     *
     * @return the text unchanged if it is not a duration
     */
    static String format(final String iso) {
        try {
            return format(Duration.parse(iso));
        } catch (DateTimeParseException e) {
            return iso;
        }
    }

    public static String format(final Duration time) {
        final String clock =
                String.format("%02d:%02d:%02d", time.toHoursPart(), time.toMinutesPart(), time.toSecondsPart());
        return time.toDays() == 0 ? clock : time.toDays() + "-" + clock;
    }
}
