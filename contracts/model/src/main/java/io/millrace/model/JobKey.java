package io.millrace.model;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The identity of a local job for ever: {@code cluster/local@submit-time}, because workload managers reuse their ids.
 *
 * @param submitted when the workload manager accepted the job, to the second
 */
public record JobKey(JobId id, Instant submitted) implements JobRef {

    public JobKey {
        submitted = submitted.truncatedTo(ChronoUnit.SECONDS);
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
        return id + "@" + submitted;
    }
}
