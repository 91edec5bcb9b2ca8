package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.ControlFile;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.Scontrol;
import io.millrace.agent.slurm.command.Scontrol.Verb;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.AdminCommentMark;
import io.millrace.agent.slurm.query.JobListing;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Holding;
import io.millrace.agent.wlm.capability.Starting;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sets and releases holds, but releases only holds that Millrace may release. */
final class Holds implements Starting, Holding {

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

    @Override
    public Answer<Accepted> start(final JobKey job) {
        return startable(job).then(seen -> release(seen, true));
    }

    /** The controller chooses the nodes. */
    @Override
    public boolean startsTogether() {
        return true;
    }

    /** The job, if neither a hold of someone else nor a begin time prevents its start. */
    Answer<QueuedJob> startable(final JobKey job) {
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Held held
            when held.by() != HoldKind.ENTRY ->
                jobs.wrongState(seen, "is held by " + held.by().holder() + ", which a start does not release");
            case JobState.Held held -> beginsNow(seen);
            case JobState.Queued queued -> beginsNow(seen);
            case JobState.Running r -> jobs.wrongState(seen, "is already running");
            case JobState.Suspended s -> jobs.wrongState(seen, "is suspended; resume it instead");
            case JobState.Completing c -> jobs.wrongState(seen, "is completing");
            case JobState.Unsettled u -> jobs.wrongState(seen, "has ended");
            case JobState.Unknown u -> jobs.wrongState(seen, "is in unknown state " + u.code());
        });
    }

    private Answer<QueuedJob> beginsNow(final QueuedJob job) {
        return JobObservation.beginsLater(job, clock.instant())
                ? jobs.wrongState(job, "has a begin time of " + job.instant("eligibletime") + ", set by its owner")
                : Answer.ok(job);
    }

    /** Of a pending array only the next task is released: a start reserves cores for one task. */
    Answer<Accepted> release(final QueuedJob job, final boolean soon) {
        return TargetId.isPendingArray(job) && soon
                ? release(job, TargetId.nextTask(job), true)
                        .map(done ->
                                new Accepted("released task " + TargetId.nextTask(job) + " of array " + job.localId()))
                : release(job, TargetId.of(job), soon);
    }

    /** Marks the job, then releases it. After a crash between the two commands the entry hold is still set. */
    private Answer<Accepted> release(final QueuedJob job, final String target, final boolean soon) {
        return runner.run(startMark(job, target, soon)).then(marked -> liftHold(job, target, marked));
    }

    /**
     * Marks the job as started by Millrace. It also resets the begin time, which a requeue moves two minutes ahead and
     * {@code job_submit.lua} moves into the far future.
     *
     * @param soon whether the job begins as soon as possible, regardless of its begin time
     */
    HoldUpdate startMark(final QueuedJob job, final String target, final boolean soon) {
        final HoldUpdate mark = HoldUpdate.of(
                site,
                target,
                AdminCommentMark.start(job.restarts(), job.submitted()).replaceIn(job.cell("admin_comment")));
        final boolean moved = soon && (job.restarts() > 0 || job.beginsInFarFuture());
        return moved ? mark.beginningAt(job.earliestBegin()) : mark;
    }

    /** Releases the hold of a job that {@link #startMark} has marked. */
    Answer<Accepted> liftHold(final QueuedJob job, final String target, final Accepted marked) {
        return job.isHeld() ? runner.run(Scontrol.of(site, Verb.RELEASE, target)) : Answer.ok(marked);
    }

    @Override
    public Answer<Accepted> hold(final JobKey job, final HoldKind kind, final @Nullable UserSentence why) {
        return jobs.current(job).then(seen -> switch (JobStates.of(seen)) {
            case JobState.Held held when held.by() == kind -> Answer.ok(new Accepted("already held"));
            case JobState.Held held
            when held.by() != HoldKind.ENTRY ->
                jobs.wrongState(seen, "is already held by " + held.by().holder());
            case JobState.Held atTheGate -> held(seen, kind, why);
            case JobState.Queued queued -> held(seen, kind, why);
            case JobState.Running r -> notWaiting(seen);
            case JobState.Suspended s -> notWaiting(seen);
            case JobState.Completing c -> notWaiting(seen);
            case JobState.Unsettled u -> notWaiting(seen);
            case JobState.Unknown u -> notWaiting(seen);
        });
    }

    private Answer<Accepted> held(final QueuedJob job, final HoldKind kind, final @Nullable UserSentence why) {
        return runner.run(HoldUpdate.of(site, TargetId.of(job), AdminCommentMark.comment(job, mark(kind), why))
                .withHold());
    }

    @Override
    public Answer<Accepted> release(final JobKey job, final HoldKind kind) {
        return runner.run(new ControlFile.Read(site)).then(control -> release(job, kind, control));
    }

    private Answer<Accepted> release(final JobKey job, final HoldKind kind, final Control control) {
        return jobs.current(job).then(seen -> {
            if (!JobStates.of(seen).equals(new JobState.Held(kind))) {
                return jobs.wrongState(
                        seen,
                        "is not held by " + kind.holder() + " but is "
                                + JobStates.of(seen).phrase());
            }
            return kind == HoldKind.SUBMISSION && control == Control.DIRECTED
                    ? runner.run(HoldUpdate.of(
                            site, TargetId.of(seen), AdminCommentMark.comment(seen, AdminCommentMark.ENTRY)))
                    : release(seen, false);
        });
    }

    /** Releases every entry hold: native control has none. */
    Answer<Accepted> releaseEntryHolds(final Supplier<String> nonces) {
        return new JobListing(site, runner, nonces).queue().then(queue -> {
            final List<String> held = new ArrayList<>();
            Answer<Accepted> last = Answer.ok(new Accepted("no job was held by Millrace"));
            for (final QueuedJob job : queue) {
                if (!job.isPending()
                        || TargetId.isLaterComponent(job)
                        || !JobStates.of(job).equals(new JobState.Held(HoldKind.ENTRY))) {
                    continue;
                }
                if (job.isHeld()) {
                    held.add(TargetId.of(job));
                } else {
                    last = release(job, TargetId.of(job), true);
                }
            }
            for (final List<String> ids : EntryHolds.chunks(held)) {
                last = runner.run(new Scontrol(site, Verb.RELEASE, ids));
            }
            return last;
        });
    }

    private <T> Answer<T> notWaiting(final QueuedJob job) {
        return jobs.wrongState(job, "is not pending; its state is " + job.cell("state"));
    }

    private static String mark(final HoldKind kind) {
        return switch (kind) {
            case USER -> AdminCommentMark.USER;
            case OPERATOR -> AdminCommentMark.OPERATOR;
            case SUBMISSION -> AdminCommentMark.SUBMISSION;
            case ENTRY -> AdminCommentMark.ENTRY;
        };
    }
}
