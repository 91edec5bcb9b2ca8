package io.millrace.submit.domain.job;

import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Selects jobs for a list.
 *
 * @param owner null: all users
 * @param states words of {@link JobStateNames#FILTERS}; empty: all
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
        Set<String> states,
        @Nullable String name,
        @Nullable ClusterId cluster,
        @Nullable ProjectName project,
        @Nullable BatchId batch,
        @Nullable Period period,
        @Nullable GlobalJobId after,
        int limit) {

    public JobFilter {
        states = Set.copyOf(states);
    }

    /**
     * Jobs that existed in this period: submitted before its end and not ended before its beginning. If only ended jobs are selected:
     * jobs that ended in it.
     */
    public record Period(Instant from, Instant until) {}

    /** The newest unfinished jobs. */
    public static JobFilter unfinished(final @Nullable UserName owner, final int limit) {
        return new JobFilter(owner, JobStateNames.ACTIVE, null, null, null, null, null, null, limit);
    }

    /** The next page after this job. */
    public JobFilter after(final GlobalJobId last) {
        return new JobFilter(owner, states, name, cluster, project, batch, period, last, limit);
    }

    /** Jobs of a batch in these states. */
    public static JobFilter ofBatch(
            final BatchId batch, final @Nullable UserName owner, final Set<String> states, final int limit) {
        return new JobFilter(owner, states, null, null, null, batch, null, null, limit);
    }

    /** Whether only jobs that have ended are selected. */
    public boolean isEnded() {
        return !states.isEmpty() && JobStateNames.ENDED.containsAll(states);
    }
}
