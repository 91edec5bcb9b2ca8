package io.millrace.submit.domain.usage;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RunEnded;
import java.time.Instant;

/**
 * An ended run in the read model.
 *
 * @param cursor position of the run in the order of end times
 */
public record StoredRun(RunEnded run, Cursor cursor) {

    /**
     * A position in the order of end times; cluster and offset on its topic distinguish runs that ended at the same time.
     *
     * @param endedAt exact to the microsecond
     */
    public record Cursor(Instant endedAt, ClusterId cluster, long offset) {

        /**
         * Parses the result of {@link #toString()}.
         *
         * @throws IllegalArgumentException if the text is not a cursor
         */
        public static Cursor of(final String text) {
            final String[] parts = text.split("_", -1);
            try {
                if (parts.length == 3) {
                    return new Cursor(Instant.parse(parts[0]), ClusterId.of(parts[1]), Long.parseLong(parts[2]));
                }
            } catch (java.time.DateTimeException | IllegalArgumentException e) {
                throw new IllegalArgumentException(invalidCursor(text), e);
            }
            throw new IllegalArgumentException(invalidCursor(text));
        }

        private static String invalidCursor(final String text) {
            return "'" + text + "' is not a valid cursor; use 'next' from the previous page";
        }

        @Override
        public String toString() {
            return endedAt + "_" + cluster + "_" + offset;
        }
    }
}
