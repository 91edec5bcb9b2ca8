package io.millrace.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/** Limits of runs, as people write them. */
final class WalltimeFormat {

    private WalltimeFormat() {}

    /** {@code 1-02:00:00}; what is no duration stays as it is. */
    static String format(final String iso) {
        try {
            final Duration time = Duration.parse(iso);
            final String clock =
                    String.format("%02d:%02d:%02d", time.toHoursPart(), time.toMinutesPart(), time.toSecondsPart());
            return time.toDays() == 0 ? clock : time.toDays() + "-" + clock;
        } catch (DateTimeParseException e) {
            return iso;
        }
    }
}
