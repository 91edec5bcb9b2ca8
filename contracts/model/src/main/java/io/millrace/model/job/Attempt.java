package io.millrace.model.job;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One placement of a global job.
 *
 * @param number from 1
 * @param cluster where it was placed
 * @param directory where the job's files lie on that cluster
 * @param why the reason of the choice, with its figures
 * @param local the local job, once known
 * @param ended when the attempt was over; null while it lives
 */
public record Attempt(
        int number,
        ClusterId cluster,
        String directory,
        String why,
        Instant begun,
        @Nullable JobKey local,
        @Nullable Instant ended) {

    public Attempt withLocal(final JobKey job) {
        return new Attempt(number, cluster, directory, why, begun, job, ended);
    }

    public Attempt endedAt(final Instant when) {
        return new Attempt(number, cluster, directory, why, begun, local, when);
    }
}
