package io.millrace.model.cluster;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run, on {@code millrace.job-ends}: the basis of usage, history and results.
 *
 * @param run number of the run of this job, from 1
 * @param startedAt null if the job ended without ever running
 * @param lostCoreSeconds core-seconds of work that will have to be done again
 * @param source where the figures come from, e.g. {@code sacct}, {@code scontrol}, {@code deadline}
 * @param used what it used; null: not measured
 */
public record RunEnded(
        JobKey job,
        String name,
        @Nullable AttemptId attempt,
        UserName owner,
        @Nullable ProjectName project,
        PartitionName partition,
        Resources resources,
        @Nullable Duration walltime,
        int run,
        @Nullable Instant startedAt,
        Instant endedAt,
        RunOutcome outcome,
        long lostCoreSeconds,
        String source,
        @Nullable ResourceUsage used)
        implements Event {

    public RunEnded {
        if (outcome instanceof RunOutcome.Continued on
                && !on.continuedAs().cluster().equals(job.cluster())) {
            throw new IllegalArgumentException(
                    "job " + job + " cannot continue as " + on.continuedAs() + ": a run continues on its own cluster");
        }
    }

    /** The end of a run of an observed job. */
    public static RunEnded of(
            final JobObserved job,
            final int run,
            final @Nullable Instant startedAt,
            final Instant endedAt,
            final RunOutcome outcome,
            final long lostCoreSeconds,
            final String source) {
        return new RunEnded(
                job.job(),
                job.name(),
                job.attempt(),
                job.owner(),
                job.project(),
                job.partition(),
                job.resources(),
                job.walltime(),
                run,
                startedAt,
                endedAt,
                outcome,
                lostCoreSeconds,
                source,
                null);
    }

    /** The same end with what the run used; nothing measured is the same as no figures. */
    public RunEnded withUsage(final @Nullable ResourceUsage measured) {
        return new RunEnded(
                job,
                name,
                attempt,
                owner,
                project,
                partition,
                resources,
                walltime,
                run,
                startedAt,
                endedAt,
                outcome,
                lostCoreSeconds,
                source,
                ResourceUsage.NONE.equals(measured) ? null : measured);
    }

    @Override
    public String key() {
        return job.cluster().value();
    }

    @Override
    public ClusterId cluster() {
        return job.cluster();
    }

    /** Core-seconds that the run occupied. */
    public long coreSeconds() {
        return startedAt == null
                ? 0
                : resources.cores() * Duration.between(startedAt, endedAt).toSeconds();
    }
}
