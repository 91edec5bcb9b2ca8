package io.millrace.submit.domain.job;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job on the time axis of a schedule: when it occupies its cores, or is predicted to.
 *
 * @param until end of its walltime; null if it has no limit
 */
public record ScheduledJob(
        JobObserved job, Kind kind, Instant from, @Nullable Instant until) {

    /** Why the cores are occupied. */
    public enum Kind {
        RUNNING,
        /** Backfilled on a shortened estimate; may be checkpointed and requeued for the job that it overtook. */
        SHORTENED,
        /** The head job's reservation; no backfilled job may delay it. */
        RESERVED,
        /** Predicted start if every earlier job uses its full walltime. */
        PREDICTED
    }

    /** @param plan the plan of backfill-service, null if there is none; empty for a waiting job without a predicted start */
    public static Optional<ScheduledJob> of(final JobObserved job, final @Nullable Plan plan) {
        if (job.state() instanceof JobState.Running running) {
            final boolean shortened = plan != null && plan.shortenedEnd() != null;
            return Optional.of(bar(job, shortened ? Kind.SHORTENED : Kind.RUNNING, running.startedAt()));
        }
        if (!job.state().isWaiting() || plan == null || plan.predictedStart() == null) {
            return Optional.empty();
        }
        return Optional.of(bar(job, plan.isReserved() ? Kind.RESERVED : Kind.PREDICTED, plan.predictedStart()));
    }

    private static ScheduledJob bar(final JobObserved job, final Kind kind, final Instant from) {
        final Duration walltime = job.walltime();
        return new ScheduledJob(job, kind, from, walltime == null ? null : from.plus(walltime));
    }
}
