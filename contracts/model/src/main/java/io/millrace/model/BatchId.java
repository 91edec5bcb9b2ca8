package io.millrace.model;

import java.util.Locale;

/**
 * Identity of a batch: a ULID that ends with {@code 0000}. The ids of its jobs follow from it: the last four characters of the first one
 * are {@code 0001}. No other job has an id that ends with {@code 0000}.
 */
public record BatchId(String value) implements Comparable<BatchId> {

    /** The maximum number of jobs in a batch. */
    public static final int MAX_JOBS = 10_000;

    /** The number of characters that a batch and its jobs share. */
    public static final int PREFIX = 22;

    private static final String NO_JOB = "0000";
    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final NameForm FORM =
            NameForm.of("[0-7][0-9A-HJKMNP-TV-Z]{21}0000", "26 letters and digits that end with 0000");

    public BatchId {
        value = value.toUpperCase(Locale.ROOT);
        FORM.require(value, "batch id");
    }

    public static BatchId of(final String value) {
        return new BatchId(value);
    }

    /** Whether a text is the id of a batch and not that of a job. */
    public static boolean isBatch(final String text) {
        return text.length() == PREFIX + NO_JOB.length() && text.endsWith(NO_JOB);
    }

    /** The batch whose jobs have the same first characters as this id. */
    public static BatchId around(final GlobalJobId id) {
        return new BatchId(id.value().substring(0, PREFIX) + NO_JOB);
    }

    /** What the batch and its jobs have in common. */
    public String prefix() {
        return value.substring(0, PREFIX);
    }

    /**
     * The id of a job of this batch.
     *
     * @param number from 1
     * @throws IllegalArgumentException if a batch cannot have so many jobs
     */
    public GlobalJobId job(final int number) {
        if (number < 1 || number > MAX_JOBS) {
            throw new IllegalArgumentException("a batch has job numbers from 1 to " + MAX_JOBS + ", got " + number);
        }
        final StringBuilder text = new StringBuilder(prefix());
        for (int shift = 15; shift >= 0; shift -= 5) {
            text.append(DIGITS.charAt(number >> shift & 31));
        }
        return GlobalJobId.of(text.toString());
    }

    @Override
    public int compareTo(final BatchId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
