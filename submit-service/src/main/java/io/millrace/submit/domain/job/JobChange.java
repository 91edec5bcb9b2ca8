package io.millrace.submit.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.job.JobStatus;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the job change feed.
 *
 * @param seq consecutive number in the order in which changes become visible; 0 until it is assigned
 * @param stage name of the stage
 */
public record JobChange(
        long seq,
        GlobalJobId job,
        UserName owner,
        JobStatus state,
        String stage,
        @Nullable ClusterId cluster,
        Instant changedAt) {

    /** Without the changes that look like the next one of the same job. They are shown with the same job, so they would repeat it. */
    public static List<JobChange> withoutRepetitions(final List<JobChange> changes) {
        final Map<GlobalJobId, JobChange> next = new HashMap<>();
        final List<JobChange> latestFirst = changes.reversed().stream()
                .filter(change -> !change.looksLike(next.put(change.job(), change)))
                .toList();
        return latestFirst.reversed();
    }

    private boolean looksLike(final @Nullable JobChange other) {
        return other != null
                && state == other.state
                && stage.equals(other.stage)
                && Objects.equals(cluster, other.cluster);
    }

    public JobChange numbered(final long number) {
        return new JobChange(number, job, owner, state, stage, cluster, changedAt);
    }
}
