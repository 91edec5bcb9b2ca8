package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks what an action requires of the jobs and the cores of the live cluster. The reason of a refusal names what was found.
 *
 * @param claimed idle cores that belong to the beneficiaries of running reclaims
 */
public record Guard(LiveCluster live, int claimed, Offered offered) {

    public static final Optional<Result.Refused> VALID = Optional.empty();

    public static Optional<Result.Refused> stale(final String reason) {
        return Optional.of(new Result.Refused(Refusal.STALE, reason));
    }

    public Optional<Result.Refused> mustExist(final JobKey key) {
        return existing(key, job -> VALID);
    }

    public Optional<Result.Refused> mustRun(final JobKey key) {
        return existing(
                key,
                job -> job.state() instanceof JobState.Running
                        ? VALID
                        : stale(key + " is " + job.state().word() + ", not running"));
    }

    public Optional<Result.Refused> mustBePending(final JobKey key) {
        return existing(key, job -> job.state().isWaiting() ? VALID : notPending(job));
    }

    /** Requires a pending job that is held only by Millrace, with the entry hold or the submission hold. */
    public Optional<Result.Refused> mustWaitForMillrace(final JobKey key) {
        final JobObserved job = live.job(key);
        return job != null && job.state().equals(new JobState.Held(HoldKind.SUBMISSION)) ? VALID : mustWait(key);
    }

    /** Requires a pending job that could start now if its resources were free: no other job is preempted for one that could not. */
    public Optional<Result.Refused> mustBeStartable(final JobKey key) {
        return mustWait(key)
                .or(() -> existing(
                        key,
                        job -> job.startVeto().flatMap(veto -> stale(key + " cannot start now: " + veto.reason()))));
    }

    /** All named tasks wait in the record of the array, and it has a slot for each. */
    public Optional<Result.Refused> tasksMustWait(final Action.Start start) {
        final JobObserved job = live.job(start.job());
        if (start.tasks() == null || job == null) {
            return VALID;
        }
        final ArrayTasks array = job.detail().array();
        if (array == null || !array.isReadable()) {
            return stale(start.job() + " does not show which tasks of an array wait");
        }
        final String missing = ArrayIndices.without(start.tasks(), array.indices());
        if (!missing.isEmpty()) {
            return stale("tasks " + missing + " of " + start.job() + " do not wait");
        }
        return array.freeSlots() == null || start.count() <= array.freeSlots()
                ? VALID
                : stale(start.job() + " has " + array.freeSlots() + " free slots for " + start.count() + " tasks");
    }

    /** @param count how many jobs of this size start */
    public Optional<Result.Refused> mustFit(final JobKey key, final int count) {
        final JobObserved job = live.job(key);
        final int cores = job == null ? 0 : count * job.resources().cores();
        return freeCores() >= cores ? VALID : stale(key + " needs " + cores + " cores; " + idleText());
    }

    /** Idle cores that no running reclaim claims; negative if more are claimed. */
    public int freeCores() {
        return live.idleCores() - claimed;
    }

    public String idleText() {
        return live.idleCores() + " cores are idle"
                + (claimed > 0 ? ", of which a running reclaim claims " + claimed : "");
    }

    /** Requires a job in the queue of which this check holds. */
    public Optional<Result.Refused> existing(
            final JobKey key, final Function<JobObserved, Optional<Result.Refused>> check) {
        final JobObserved job = live.job(key);
        return job == null ? stale(key + " is not in the queue") : check.apply(job);
    }

    /** Requires a pending job that has no hold except the entry hold. */
    private Optional<Result.Refused> mustWait(final JobKey key) {
        return existing(key, job -> switch (job.state()) {
            case JobState.Queued q -> VALID;
            case JobState.Held held ->
                switch (held.by()) {
                    case ENTRY -> VALID;
                    case SUBMISSION -> stale(key + " is not released yet");
                    case USER, OPERATOR ->
                        stale(key + " is held by " + held.by().holder());
                };
            case JobState.Running r -> notPending(job);
            case JobState.Suspended s -> notPending(job);
            case JobState.Completing c -> notPending(job);
            case JobState.Unsettled u -> notPending(job);
            case JobState.Unknown u -> notPending(job);
        });
    }

    private static Optional<Result.Refused> notPending(final JobObserved job) {
        return stale(job.job() + " is " + job.state().word() + ", not pending");
    }
}
