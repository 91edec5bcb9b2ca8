package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.Scontrol.Verb;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

/** Sets and lifts holds, and only those that are Millrace's to lift. */
final class Holds {

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;

    Holds(final SlurmSite site, final Runner runner, final Clock clock, final JobLookup jobs) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
    }

    Answer<Accepted> start(final JobKey job) {
        return startable(job).then(seen -> letGo(seen, true));
    }

    /** The job, if neither a hold nor its owner's wish keeps it from starting now. */
    Answer<QueuedJob> startable(final JobKey job) {
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Held held
            when held.by() != HoldKind.ENTRY -> jobs.wrongState(seen, "is held by " + held.by() + ", not at the gate");
            case JobState.Held held -> thatMayBegin(seen);
            case JobState.Queued queued -> thatMayBegin(seen);
            case JobState.Running r -> jobs.wrongState(seen, "runs already");
            case JobState.Suspended s -> jobs.wrongState(seen, "is suspended; resume it");
            case JobState.Completing c -> jobs.wrongState(seen, "is just leaving its nodes");
            case JobState.Unsettled u -> jobs.wrongState(seen, "has ended");
            case JobState.Unknown u -> jobs.wrongState(seen, "is in a state unknown here: " + u.code());
        });
    }

    private Answer<QueuedJob> thatMayBegin(final QueuedJob job) {
        return JobObservation.beginsLater(job, clock.instant())
                ? jobs.wrongState(job, "is not to begin before " + job.instant("eligibletime") + ", its owner says")
                : Answer.ok(job);
    }

    /** Of the tasks of an array that wait together one goes: the others were not promised any cores. */
    Answer<Accepted> letGo(final QueuedJob job, final boolean soon) {
        return TargetId.isPendingArray(job) && soon
                ? letGo(job, TargetId.nextTask(job), true)
                        .map(done ->
                                new Accepted("let go task " + TargetId.nextTask(job) + " of array " + job.localId()))
                : letGo(job, TargetId.of(job), soon);
    }

    /** Marks first, releases then: cut off between the two, the job still waits at the gate. */
    private Answer<Accepted> letGo(final QueuedJob job, final String target, final boolean soon) {
        return runner.run(startMark(job, target, soon)).then(marked -> liftHold(job, target, marked));
    }

    /**
     * Notes that the job is let go. The begin time is set because a requeue had put it two minutes ahead, or the gate far away.
     *
     * @param soon whether the job is to begin as soon as possible, whatever begin time it has
     */
    HoldUpdate startMark(final QueuedJob job, final String target, final boolean soon) {
        final HoldUpdate mark = HoldUpdate.of(
                site,
                target,
                AdminCommentMark.start(job.restarts(), job.submitted()).replaceIn(job.cell("admin_comment")));
        final boolean moved = soon && (job.restarts() > 0 || job.beginsInFarFuture());
        return moved ? mark.beginningAt(job.earliestBegin()) : mark;
    }

    /** Lifts the hold of a job that was marked so. */
    Answer<Accepted> liftHold(final QueuedJob job, final String target, final Accepted marked) {
        return job.isHeld() ? runner.run(Scontrol.of(site, Verb.RELEASE, target)) : Answer.ok(marked);
    }

    Answer<Accepted> hold(final JobKey job, final HoldKind kind) {
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Held held
            when held.by() != kind -> jobs.wrongState(seen, "is held by " + held.by() + " already");
            case JobState.Held held -> Answer.ok(new Accepted("held before"));
            case JobState.Queued queued ->
                runner.run(HoldUpdate.of(site, TargetId.of(seen), AdminCommentMark.comment(seen, word(kind)))
                        .withHold());
            case JobState.Running r -> notWaiting(seen);
            case JobState.Suspended s -> notWaiting(seen);
            case JobState.Completing c -> notWaiting(seen);
            case JobState.Unsettled u -> notWaiting(seen);
            case JobState.Unknown u -> notWaiting(seen);
        });
    }

    Answer<Accepted> release(final JobKey job, final HoldKind kind, final Control control) {
        return jobs.current(job).then(seen -> {
            if (!JobStates.of(seen).equals(new JobState.Held(kind))) {
                return jobs.wrongState(seen, "is not held by " + kind + " but " + JobStates.of(seen));
            }
            return kind == HoldKind.SUBMISSION && control == Control.DIRECTED
                    ? runner.run(HoldUpdate.of(
                            site, TargetId.of(seen), AdminCommentMark.comment(seen, AdminCommentMark.ENTRY)))
                    : letGo(seen, false);
        });
    }

    /** Under native control nobody waits at the gate. */
    Answer<Accepted> releaseEntryHolds(final String nonce) {
        return runner.run(JobQuery.queue(site, nonce)).then(queue -> {
            final List<String> held = new ArrayList<>();
            Answer<Accepted> last = Answer.ok(new Accepted("no job waited at the gate"));
            for (final QueuedJob job : queue) {
                if (!job.isPending()
                        || TargetId.isLaterComponent(job)
                        || !JobStates.of(job).equals(new JobState.Held(HoldKind.ENTRY))) {
                    continue;
                }
                if (job.isHeld()) {
                    held.add(TargetId.of(job));
                } else {
                    last = letGo(job, TargetId.of(job), true);
                }
            }
            for (final List<String> ids : EntryHolds.toOpen(held)) {
                last = runner.run(new Scontrol(site, Verb.RELEASE, ids));
            }
            return last;
        });
    }

    private <T> Answer<T> notWaiting(final QueuedJob job) {
        return jobs.wrongState(job, "does not wait, it is " + job.cell("state"));
    }

    private static String word(final HoldKind kind) {
        return switch (kind) {
            case USER -> AdminCommentMark.USER;
            case OPERATOR -> AdminCommentMark.OPERATOR;
            case SUBMISSION -> AdminCommentMark.SUBMISSION;
            case ENTRY -> AdminCommentMark.ENTRY;
        };
    }
}
