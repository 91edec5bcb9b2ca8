package io.millrace.agent.checkpoint;

import io.millrace.agent.domain.RemainingWalltime;
import io.millrace.agent.observe.OfferCache;
import io.millrace.agent.observe.RunEndResolver;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Altering;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.NativeCheckpointing;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.command.Result;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Requeues a job after its checkpoint: records the checkpoint, requeues the job held, and gives it the rest of its walltime. */
public final class CheckpointRequeue {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    private final WorkloadManager wlm;
    private final OfferCache offering;
    private final RunEndResolver ends;
    private final Duration restartCost;
    private final Duration vacateTimeout;
    private final Clock clock;

    /**
     * @param restartCost time a job needs to read its checkpoint
     * @param vacateTimeout how long a job may take to leave its cores
     */
    public CheckpointRequeue(
            final WorkloadManager wlm,
            final OfferCache offering,
            final RunEndResolver ends,
            final Duration restartCost,
            final Duration vacateTimeout,
            final Clock clock) {
        this.wlm = wlm;
        this.offering = offering;
        this.ends = ends;
        this.restartCost = restartCost;
        this.vacateTimeout = vacateTimeout;
        this.clock = clock;
    }

    /** The job if it is running. */
    public Answer<JobObserved> running(final JobKey key) {
        return wlm.observe().then(seen -> {
            final JobObserved job = find(seen, key);
            return job != null && job.state() instanceof JobState.Running
                    ? Answer.ok(job)
                    : Answer.trouble(Answer.Kind.WRONG_STATE, key + " is not running");
        });
    }

    /** While this is open, ends of this job are not published. */
    RunEndResolver.Pause pause(final JobKey job) {
        return ends.pause(job);
    }

    /** The job has saved itself and is still running. */
    Result requeueSaved(final JobObserved running, final CheckpointTaken taken, final UserSentence why)
            throws InterruptedException {
        final JobObserved job = seen(running.job());
        if (job == null || !(job.state() instanceof JobState.Running)) {
            return ResultMapper.failed(
                    running.job() + " wrote its marker and ended; it is treated as ended, not as checkpointed");
        }
        final CheckpointStore.Entry entry = record(running, taken, running.job());
        return switch (wlm.get(Requeueing.class).requeueHeld(running.job(), why)) {
            case Answer.Ok<Accepted> ok ->
                ResultMapper.done(text(taken) + ", requeued and held" + setRemainingWalltime(entry));
            case Answer.Trouble<Accepted> trouble -> {
                // Only a definite refusal means that the job still runs; otherwise the end of its run shows what
                // happened.
                if (trouble.kind().isDefinite()) {
                    ends.notSaved(running.job());
                }
                yield ResultMapper.failed("saved, but not requeued: " + trouble.reason());
            }
        };
    }

    /** The job has saved itself and requeued itself by its exit code. */
    Result requeuedItself(final JobObserved running, final CheckpointTaken taken, final UserSentence why)
            throws InterruptedException {
        final CheckpointStore.Entry entry = record(running, taken, running.job());
        final JobObserved job = seen(running.job());
        if (job != null
                && job.state() instanceof JobState.Queued
                && wlm.find(Holding.class) instanceof Holding holding) {
            // If it starts before it is held, no work is lost: its state is saved.
            holding.hold(running.job(), HoldKind.ENTRY, why);
        } else if (job != null && job.state() instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
            // Slurm's RequeueExitHold sets a user hold. Millrace caused it, so it is replaced by the entry hold.
            wlm.get(Requeueing.class).requeueHeld(running.job(), why);
        }
        return ResultMapper.done(text(taken) + ", requeued itself" + setRemainingWalltime(entry));
    }

    /** The job was saved by the workload manager, and waits. */
    Result vacated(final JobObserved running, final NativeCheckpointing.VacatedJob parked) throws InterruptedException {
        final CheckpointStore.Entry entry = record(running, parked.taken(), parked.job());
        final String detail = text(parked.taken()) + ", held" + setRemainingWalltime(entry);
        return parked.job().equals(running.job())
                ? ResultMapper.done(detail)
                : new Result.Done(parked.job(), detail + "; it continues as " + parked.job());
    }

    private CheckpointStore.Entry record(final JobObserved running, final CheckpointTaken taken, final JobKey next) {
        final Duration walltime = RemainingWalltime.of(running, taken.savedAt(), restartCost, longest(running))
                .orElse(null);
        final CheckpointStore.Entry entry =
                new CheckpointStore.Entry(running.job(), running.restarts() + 1, taken, null, walltime).under(next);
        ends.saved(entry);
        return entry;
    }

    private static String text(final CheckpointTaken taken) {
        return "saved after "
                + Duration.between(taken.requestedAt(), taken.savedAt()).toMillis() + " ms in " + taken.location();
    }

    /**
     * Sets the walltime of the pending job to the rest. Setting it again changes nothing.
     *
     * @return the result as text to append
     */
    public String setRemainingWalltime(final CheckpointStore.Entry entry) throws InterruptedException {
        final Duration walltime = entry.walltime();
        if (walltime == null) {
            return "";
        }
        if (!offering.capabilities().contains(Capability.ALTER)) {
            return "; its walltime is unchanged, because this workload manager cannot change it";
        }
        final Instant end = clock.instant().plus(vacateTimeout);
        String last = "the job did not leave its cores within " + vacateTimeout.toSeconds() + " s";
        while (clock.instant().isBefore(end)) {
            final JobObserved job = seen(entry.next());
            if (job != null && job.state().isWaiting()) {
                switch (wlm.get(Altering.class).setWalltime(entry.next(), walltime)) {
                    case Answer.Ok<Accepted> ok -> {
                        return "; " + walltime.toSeconds() + " s of its walltime remain";
                    }
                    case Answer.Trouble<Accepted> trouble -> {
                        last = trouble.reason();
                        if (trouble.kind().isDefinite() && trouble.kind() != Answer.Kind.DOWN) {
                            return "; its walltime is unchanged: " + last;
                        }
                    }
                }
            }
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
        return "; its walltime is unchanged: " + last;
    }

    /** Walltime limit of the job's partition; null if there is none or it is unknown. */
    private @Nullable Duration longest(final JobObserved job) {
        return wlm.observe() instanceof Answer.Ok<Observation> seen
                ? seen.value().partitions().stream()
                        .filter(partition -> partition.partition().equals(job.partition()))
                        .map(PartitionObserved::walltimeLimit)
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private @Nullable JobObserved seen(final JobKey key) {
        return wlm.observe() instanceof Answer.Ok<Observation> seen ? find(seen.value(), key) : null;
    }

    static @Nullable JobObserved find(final Observation seen, final JobKey key) {
        return seen.jobs().stream()
                .filter(job -> job.job().equals(key))
                .findFirst()
                .orElse(null);
    }
}
