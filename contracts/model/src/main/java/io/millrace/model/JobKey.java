package io.millrace.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/**
 * The identity of a local job for ever: {@code cluster/local@submit-time}, because workload managers reuse their ids.
 *
 * @param submittedAt when the workload manager accepted the job, to the second
 */
public record JobKey(JobId id, Instant submittedAt) implements JobRef {

    /** The order of jobs where nothing else decides: by submission, then by local id; of two numbers the shorter is the smaller. */
    public static final Comparator<JobKey> BY_SUBMISSION = Comparator.comparing(JobKey::submittedAt)
            .thenComparingInt(job -> job.id().local().length())
            .thenComparing(job -> job.id().local());

    public JobKey {
        submittedAt = submittedAt.truncatedTo(ChronoUnit.SECONDS);
    }

    public static JobKey of(final String text) {
        final int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new IllegalArgumentException("'" + text + "' is not a job key (expected cluster/id@submit-time)");
        }
        return new JobKey(JobId.of(text.substring(0, at)), Instant.parse(text.substring(at + 1)));
    }

    public ClusterId cluster() {
        return id.cluster();
    }

    @Override
    public String toString() {
        return id + "@" + submittedAt;
    }
}
