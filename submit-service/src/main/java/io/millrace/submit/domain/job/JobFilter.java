package io.millrace.submit.domain.job;

import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.job.JobStatus;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects jobs for a list.
 *
 * @param owner null: all users
 * @param states empty: all
 * @param stages names of stages; empty: all
 * @param name null: any
 * @param cluster of the newest attempt; null: any
 * @param project null: any
 * @param batch null: any
 * @param period null: at any time
 * @param after the last job of the previous page
 * @param limit jobs per page
 */
public record JobFilter(
        @Nullable UserName owner,
        Set<JobStatus> states,
        Set<String> stages,
        @Nullable String name,
        @Nullable ClusterId cluster,
        @Nullable ProjectName project,
        @Nullable BatchId batch,
        @Nullable Period period,
        @Nullable GlobalJobId after,
        int limit) {

    public JobFilter {
        states = Set.copyOf(states);
        stages = Set.copyOf(stages);
    }

    /**
     * Jobs that existed in this period: submitted before its end and not ended before its beginning. If only ended jobs are selected:
     * jobs that ended in it.
     */
    public record Period(Instant from, Instant until) {}

    /** The newest unfinished jobs. */
    public static JobFilter unfinished(final @Nullable UserName owner, final int limit) {
        return new JobFilter(owner, Set.copyOf(JobStatus.ACTIVE), Set.of(), null, null, null, null, null, null, limit);
    }

    /** The next page after this job. */
    public JobFilter after(final GlobalJobId last) {
        return new JobFilter(owner, states, stages, name, cluster, project, batch, period, last, limit);
    }

    /** Jobs of a batch in these states. */
    public static JobFilter ofBatch(
            final BatchId batch, final @Nullable UserName owner, final Set<JobStatus> states, final int limit) {
        return new JobFilter(owner, states, Set.of(), null, null, null, batch, null, null, limit);
    }

    /** Whether only jobs that have ended are selected. */
    public boolean isEnded() {
        return !states.isEmpty() && states.stream().allMatch(JobStatus::isFinal);
    }
}
