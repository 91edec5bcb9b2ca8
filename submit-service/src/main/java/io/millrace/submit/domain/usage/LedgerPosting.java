package io.millrace.submit.domain.usage;

import io.millrace.model.JobKey;
import io.millrace.model.quota.LedgerEntry.Posting;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A posting of the ledger.
 *
 * @param bookedAt when it counts: the end of the run, or the booking time if the period of the end was closed
 * @param endedAt when the run ended
 * @param project empty: the job named none
 * @param jobClass class with the rate factor that applied; empty: none
 * @param cursor position of the posting in the order of booking times
 */
public record LedgerPosting(
        Instant bookedAt,
        Instant endedAt,
        JobKey job,
        int run,
        String user,
        String project,
        long ratePermille,
        String jobClass,
        long classPermille,
        Posting posting,
        Cursor cursor) {

    /**
     * A position in the order of booking times; run and line distinguish postings with the same time.
     *
     * @param bookedAt exact to the microsecond
     * @param entry identifies the run
     */
    public record Cursor(Instant bookedAt, String entry, int line) {

        private static final Pattern FORM = Pattern.compile("(\\S{20,27})_([0-9a-f]{32})_(\\d{1,3})");

        /**
         * Parses the result of {@link #toString()}.
         *
         * @throws IllegalArgumentException if the text is not a cursor
         */
        public static Cursor of(final String text) {
            final Matcher parts = FORM.matcher(text);
            try {
                if (parts.matches()) {
                    return new Cursor(Instant.parse(parts.group(1)), parts.group(2), Integer.parseInt(parts.group(3)));
                }
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException(invalid(text), e);
            }
            throw new IllegalArgumentException(invalid(text));
        }

        private static String invalid(final String text) {
            return "'" + text + "' is not a valid cursor; use the header Millrace-Next of the previous page";
        }

        @Override
        public String toString() {
            return bookedAt + "_" + entry + "_" + line;
        }
    }
}
