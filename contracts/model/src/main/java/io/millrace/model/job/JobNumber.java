package io.millrace.model.job;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The short number by which people name a job: {@code 4711}; of a job of a batch {@code 4711_4}. It is unique in the centre.
 *
 * @param value from 1; the jobs of a batch share it
 * @param task the index of the job in its batch; null for a job that was submitted alone, and for a batch as a whole
 */
public record JobNumber(long value, @Nullable Integer task) {

    /** No id of a job has this form: its digits do not begin with 0. */
    private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,14})(?:_(0|[1-9]\\d{0,8}))?");

    public JobNumber {
        if (value < 1 || task != null && task < 0) {
            throw new IllegalArgumentException(
                    "a job number is at least 1 and its task at least 0; got " + value + " and " + task);
        }
    }

    /** The number that a text is; empty if the text is something else, such as an id. */
    public static Optional<JobNumber> of(final String text) {
        final Matcher form = FORM.matcher(text);
        return form.matches()
                ? Optional.of(new JobNumber(
                        Long.parseLong(form.group(1)), form.group(2) == null ? null : Integer.valueOf(form.group(2))))
                : Optional.empty();
    }

    /** The number of the whole batch. */
    public JobNumber ofBatch() {
        return new JobNumber(value, null);
    }

    @Override
    public String toString() {
        return task == null ? Long.toString(value) : value + "_" + task;
    }
}
