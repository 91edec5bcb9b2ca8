package io.millrace.submit.domain.job;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job as a bar over time: since when it occupies its cores, or from when it is foreseen to.
 *
 * @param until when its walltime will be over; null if nothing bounds it
 */
public record ScheduledJob(
        JobObserved job, Kind kind, Instant from, @Nullable Instant until) {

    /** By what decision the cores are occupied. */
    public enum Kind {
        RUNNING,
        /** Runs on a shrunk estimate, and may be saved and put back for the job that it overtook. */
        SHRUNK,
        /** The first in order waits for this room, and nobody who overtakes may delay it. */
        RESERVED,
        /** Foreseen if everybody before it takes the whole walltime. */
        FORESEEN
    }

    /** @param plan what backfill says of it, null if nothing; a waiting job without a predicted start has no bar */
    public static Optional<ScheduledJob> of(final JobObserved job, final @Nullable Plan plan) {
        if (job.state() instanceof JobState.Running running) {
            final boolean shrunk = plan != null && plan.shortenedEnd() != null;
            return Optional.of(bar(job, shrunk ? Kind.SHRUNK : Kind.RUNNING, running.startedAt()));
        }
        if (!job.state().isWaiting() || plan == null || plan.predictedStart() == null) {
            return Optional.empty();
        }
        return Optional.of(bar(job, plan.isReserved() ? Kind.RESERVED : Kind.FORESEEN, plan.predictedStart()));
    }

    private static ScheduledJob bar(final JobObserved job, final Kind kind, final Instant from) {
        final Duration walltime = job.walltime();
        return new ScheduledJob(job, kind, from, walltime == null ? null : from.plus(walltime));
    }
}
