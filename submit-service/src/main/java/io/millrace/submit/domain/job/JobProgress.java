package io.millrace.submit.domain.job;

import io.millrace.model.Veto;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.policy.Plan;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a global job ran, or will run.
 *
 * @param startedAt start of the current run, or of the last run of a job that will not run again; null if there is none
 * @param endedAt end of the last run, or of a job that never ran; null while a run may follow
 * @param preemptions number of runs after which the job was queued again
 * @param lastRun the last run of a job that will not run again; null if there is none
 * @param predictedStart start of the next run as planned; null if it runs, has run, or nothing is planned
 * @param obstacle why it does not start now; null if it runs, has run, or nothing is in its way
 */
public record JobProgress(
        @Nullable Instant startedAt,
        @Nullable Instant endedAt,
        int preemptions,
        @Nullable RunEnded lastRun,
        @Nullable Instant predictedStart,
        @Nullable Veto obstacle) {

    /** The progress of a job that was just accepted. */
    public static final JobProgress NONE = new JobProgress(null, null, 0, null, null, null);

    /**
     * @param local the local job while it is in a queue
     * @param runs the ended runs of all attempts, oldest first
     * @param plans the plans for the job and its local job
     */
    public static JobProgress of(
            final GlobalJob job, final @Nullable JobObserved local, final List<RunEnded> runs, final List<Plan> plans) {
        final int preemptions =
                (int) runs.stream().filter(run -> !run.outcome().endsTheJob()).count();
        final Optional<Instant> running = Optional.ofNullable(local).flatMap(seen -> start(seen.state()));
        if (running.isPresent()) {
            return new JobProgress(running.get(), null, preemptions, null, null, null);
        }
        if (job.state().isFinal() || job.state() instanceof GlobalJobState.Downloading) {
            final RunEnded last = runs.isEmpty() ? null : runs.getLast();
            return last == null
                    ? new JobProgress(null, job.state().isFinal() ? job.since() : null, preemptions, null, null, null)
                    : new JobProgress(last.startedAt(), last.endedAt(), preemptions, last, null, null);
        }
        return new JobProgress(
                null,
                null,
                preemptions,
                null,
                earliest(plans),
                Obstacle.of(plans).orElse(null));
    }

    private static Optional<Instant> start(final JobState state) {
        return switch (state) {
            case JobState.Running running -> Optional.of(running.startedAt());
            case JobState.Suspended suspended -> Optional.of(suspended.startedAt());
            case JobState.Queued s -> Optional.empty();
            case JobState.Held s -> Optional.empty();
            case JobState.Completing s -> Optional.empty();
            case JobState.Unsettled s -> Optional.empty();
            case JobState.Unknown s -> Optional.empty();
        };
    }

    private static @Nullable Instant earliest(final List<Plan> plans) {
        return plans.stream()
                .map(Plan::predictedStart)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }
}
