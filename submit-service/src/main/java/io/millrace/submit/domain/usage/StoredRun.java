package io.millrace.submit.domain.usage;

import io.millrace.model.cluster.RunEnded;
import java.time.Instant;

/**
 * An ended run of the read model.
 *
 * @param at where it stands among the others
 */
public record StoredRun(RunEnded run, Cursor at) {

    /**
     * Its place in the order of ends; the place on the log tells runs apart that ended together.
     *
     * @param ended exact to the microsecond
     */
    public record Cursor(Instant ended, int partition, long offset) {

        /**
         * Reads what {@link #toString()} wrote.
         *
         * @throws IllegalArgumentException if the text is no place
         */
        public static Cursor of(final String text) {
            final String[] parts = text.split("_", -1);
            try {
                if (parts.length == 3) {
                    return new Cursor(Instant.parse(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
                }
            } catch (java.time.DateTimeException | NumberFormatException e) {
                throw new IllegalArgumentException(noPlace(text), e);
            }
            throw new IllegalArgumentException(noPlace(text));
        }

        private static String noPlace(final String text) {
            return "'" + text + "' is no place among the runs: give back what 'next' of the page before said";
        }

        @Override
        public String toString() {
            return ended + "_" + partition + "_" + offset;
        }
    }
}
