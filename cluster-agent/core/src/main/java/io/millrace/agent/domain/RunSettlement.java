package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The runs that ended between the last published state and this observation.
 *
 * <p>A job that is still in the queue with more restarts has ended runs. A job that has left the queue is unsettled until accounting has
 * recorded its end. If that takes longer than the deadline, its end is <em>unknown</em>.
 *
 * @param ends in the order in which the runs ended, per job
 * @param unsettled jobs that left the queue with an unknown end, in their new state
 * @param settled jobs with an end in {@code ends}
 */
public record RunSettlement(List<RunEnded> ends, List<JobObserved> unsettled, List<JobKey> settled) {

    /**
     * A checkpoint: work of this run before it is not lost.
     *
     * @param continuedAs the key under which the job continues; null: the same
     */
    public record TakenCheckpoint(
            int run, CheckpointTaken checkpoint, @Nullable JobKey continuedAs) {}

    /** The jobs for which accounting must be queried. */
    public static List<JobKey> missingEnds(final Collection<JobObserved> previous, final Collection<JobObserved> now) {
        final Map<JobKey, JobObserved> present = byKey(now);
        return previous.stream()
                .filter(job -> {
                    final JobObserved seen = present.get(job.job());
                    return seen == null || seen.restarts() > job.restarts();
                })
                .map(JobObserved::job)
                .toList();
    }

    /**
     * @param previous the jobs as last published
     * @param now the jobs as observed
     * @param facts ended runs from accounting, in any order
     * @param saved checkpoints taken by command, by job
     * @param at the time of the observation
     * @param answering since when accounting has answered; null if it does not answer, and then no end becomes unknown
     * @param deadline maximum delay of accounting
     */
    public static RunSettlement of(
            final Collection<JobObserved> previous,
            final Collection<JobObserved> now,
            final Collection<Run> facts,
            final Map<JobKey, TakenCheckpoint> saved,
            final Instant at,
            final @Nullable Instant answering,
            final Duration deadline) {
        final Map<JobKey, JobObserved> present = byKey(now);
        final Map<JobKey, List<Run>> byJob =
                facts.stream().sorted(Comparator.comparingInt(Run::run)).collect(Collectors.groupingBy(Run::job));
        final List<RunEnded> ends = new ArrayList<>();
        final List<JobObserved> unsettled = new ArrayList<>();
        final List<JobKey> over = new ArrayList<>();
        for (final JobObserved job : previous) {
            final JobObserved seen = present.get(job.job());
            final List<Run> known = byJob.getOrDefault(job.job(), List.of());
            if (seen != null) {
                requeuedRuns(job, seen.restarts(), known, saved.get(job.job()), at, ends);
                continue;
            }
            final TakenCheckpoint state = saved.get(job.job());
            final Optional<Run> last = known.stream()
                    .filter(fact -> fact.run() > job.restarts()
                            && (fact.outcome().endsTheKey() || continuesElsewhere(state, fact.run())))
                    .max(Comparator.comparingInt(Run::run));
            if (last.isPresent()) {
                requeuedRuns(job, last.get().run() - 1, known, state, at, ends);
                ends.add(ended(job, last.get(), state));
                over.add(job.job());
            } else if (state != null && continuesElsewhere(state, job.restarts() + 1)) {
                ends.add(ended(job, continued(job, state), state));
                over.add(job.job());
            } else if (job.state() instanceof JobState.Unsettled since
                    && answering != null
                    && isOver(since.since(), answering, deadline, at)) {
                ends.add(unknown(job, since.since(), deadline));
                over.add(job.job());
            } else {
                unsettled.add(job.state() instanceof JobState.Unsettled ? job : job.in(new JobState.Unsettled(at)));
            }
        }
        return new RunSettlement(ends, unsettled, over);
    }

    /**
     * Adds requeued runs of jobs that no longer have a separate record.
     *
     * @param rejoined tasks that are pending with their array again
     * @param facts their runs from accounting; unknown runs are left out because they have no number
     */
    public RunSettlement withRequeued(
            final Collection<JobObserved> rejoined,
            final Collection<Run> facts,
            final Map<JobKey, TakenCheckpoint> saved) {
        if (rejoined.isEmpty()) {
            return this;
        }
        final List<RunEnded> all = new ArrayList<>(ends);
        for (final JobObserved job : rejoined) {
            facts.stream()
                    .filter(fact -> fact.job().equals(job.job())
                            && fact.run() > job.restarts()
                            && !fact.outcome().endsTheKey())
                    .sorted(Comparator.comparingInt(Run::run))
                    .forEach(fact -> all.add(ended(job, fact, saved.get(job.job()))));
        }
        return new RunSettlement(all, unsettled, settled);
    }

    private static boolean continuesElsewhere(final @Nullable TakenCheckpoint state, final int run) {
        return state != null && state.continuedAs() != null && state.run() == run;
    }

    /** The deadline counts only while accounting answers. */
    private static boolean isOver(
            final Instant since, final Instant answering, final Duration deadline, final Instant at) {
        return (since.isAfter(answering) ? since : answering).plus(deadline).isBefore(at);
    }

    /** The end of the old key of a job that continues under another key, before accounting knows it. */
    private static Run continued(final JobObserved job, final TakenCheckpoint state) {
        return new Run(
                job.job(),
                state.run(),
                started(job.state()),
                state.checkpoint().savedAt(),
                new RunOutcome.Continued(Objects.requireNonNull(state.continuedAs()), state.checkpoint()),
                "checkpoint");
    }

    /** The runs after those already published, up to the observed number of restarts. */
    private static void requeuedRuns(
            final JobObserved job,
            final int restarts,
            final List<Run> known,
            final @Nullable TakenCheckpoint saved,
            final Instant at,
            final List<RunEnded> ends) {
        for (int run = job.restarts() + 1; run <= restarts; run++) {
            final int number = run;
            final Run fact = known.stream()
                    .filter(candidate -> candidate.run() == number)
                    .findFirst()
                    .map(RunSettlement::asRequeued)
                    .orElseGet(() -> new Run(
                            job.job(),
                            number,
                            number == job.restarts() + 1 ? started(job.state()) : null,
                            at,
                            new RunOutcome.Requeued(),
                            "observed"));
            ends.add(ended(job, fact, saved));
        }
    }

    /** Accounting may record an exit where the job was requeued by its exit code (Slurm's RequeueExit, LSF's REQUEUE_EXIT_VALUES). */
    private static Run asRequeued(final Run fact) {
        return fact.outcome() instanceof RunOutcome.Exited || fact.outcome() instanceof RunOutcome.Signalled
                ? fact.with(new RunOutcome.Requeued())
                : fact;
    }

    private static RunEnded ended(final JobObserved job, final Run fact, final @Nullable TakenCheckpoint saved) {
        final RunOutcome outcome =
                saved != null && saved.run() == fact.run() ? cut(fact.outcome(), saved) : fact.outcome();
        final long lost = saved != null && !outcome.equals(fact.outcome())
                ? coreSeconds(job, saved.checkpoint().savedAt(), fact.ended())
                : lost(job, fact, fact.started());
        return RunEnded.of(job, fact.run(), fact.started(), fact.ended(), outcome, lost, fact.source())
                .withUsage(fact.used());
    }

    /** The outcome of a run with a checkpoint: an exit stays an exit, unless the job continues under another key. */
    private static RunOutcome cut(final RunOutcome byAccounting, final TakenCheckpoint saved) {
        if (saved.continuedAs() != null) {
            return new RunOutcome.Continued(saved.continuedAs(), saved.checkpoint());
        }
        return byAccounting instanceof RunOutcome.Requeued
                ? new RunOutcome.Checkpointed(saved.checkpoint())
                : byAccounting;
    }

    private static RunEnded unknown(final JobObserved job, final Instant since, final Duration deadline) {
        return RunEnded.of(
                job,
                job.restarts() + 1,
                null,
                since,
                new RunOutcome.Unknown("accounting did not know its end within " + deadline.toSeconds()
                        + " s; ask the workload manager about " + job.job().id().local()),
                0,
                "deadline");
    }

    private static long lost(final JobObserved job, final Run fact, final @Nullable Instant from) {
        return switch (fact.outcome()) {
            case RunOutcome.Requeued r -> coreSeconds(job, from, fact.ended());
            case RunOutcome.Checkpointed c -> coreSeconds(job, from, fact.ended());
            case RunOutcome.Continued c -> coreSeconds(job, c.checkpoint().savedAt(), fact.ended());
            case RunOutcome.NodeFailed n -> coreSeconds(job, from, fact.ended());
            case RunOutcome.Preempted p -> coreSeconds(job, from, fact.ended());
            case RunOutcome.Exited e -> 0;
            case RunOutcome.Signalled s -> 0;
            case RunOutcome.Cancelled c -> 0;
            case RunOutcome.TimedOut t -> 0;
            case RunOutcome.OutOfMemory o -> 0;
            case RunOutcome.Unknown u -> 0;
        };
    }

    private static long coreSeconds(final JobObserved job, final @Nullable Instant from, final Instant to) {
        return from == null || from.isAfter(to)
                ? 0
                : job.resources().cores() * Duration.between(from, to).toSeconds();
    }

    private static @Nullable Instant started(final JobState state) {
        return switch (state) {
            case JobState.Running running -> running.startedAt();
            case JobState.Suspended suspended -> suspended.startedAt();
            case JobState.Queued q -> null;
            case JobState.Held h -> null;
            case JobState.Completing c -> null;
            case JobState.Unsettled u -> null;
            case JobState.Unknown u -> null;
        };
    }

    private static Map<JobKey, JobObserved> byKey(final Collection<JobObserved> jobs) {
        return jobs.stream()
                .collect(Collectors.toMap(JobObserved::job, Function.identity(), (a, b) -> b, HashMap::new));
    }
}
