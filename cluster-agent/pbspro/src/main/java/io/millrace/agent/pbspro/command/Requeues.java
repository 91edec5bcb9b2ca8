package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.JobStates;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.SchedulingControl;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Requeues running jobs. If the scheduler is on, the job is held first, because the scheduler restarts a requeued job within a
 * second. PBS may checkpoint a held running job and end it; then it needs no requeue. If the scheduler is off, the job is requeued
 * first and held when it waits.
 */
public final class Requeues implements Requeueing {

    private final PbsSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;
    private final SchedulingControl gate;
    private final MarkResource marks;

    public Requeues(
            final PbsSite site,
            final Runner runner,
            final JobLookup jobs,
            final Holds holds,
            final SchedulingControl gate,
            final MarkResource marks) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
        this.gate = gate;
        this.marks = marks;
    }

    /**
     * Under directed control the job also gets a hold if jobs can be marked. Without a hold, it waits because the scheduler is off.
     */
    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return gate.control()
                .then(control -> requeue(
                        job, control == Control.DIRECTED && marks.missing().isEmpty(), control, why));
    }

    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return gate.control().then(control -> {
            final Answer<Accepted> may =
                    control == Control.NATIVE ? marks.required() : Answer.ok(new Accepted("no hold needed"));
            return may.then(yes -> requeue(job, marks.missing().isEmpty(), control, why));
        });
    }

    /** @param held whether to set a hold in addition to the disabled scheduler */
    /** @param why shown to users in the comment of a held job until its next start; null for none */
    private Answer<Accepted> requeue(
            final JobKey key, final boolean held, final Control control, final @Nullable UserSentence why) {
        return jobs.find(key).then(job -> {
            final JobState state = JobStates.of(job, control);
            if (!(state instanceof JobState.Running) && !(state instanceof JobState.Suspended)) {
                return jobs.wrongState(job, "is not running");
            }
            if (!held || job.isSubjob()) { // subjobs cannot be held
                return runner.run(PbsCommand.requeue(site, job.id()));
            }
            return control == Control.DIRECTED ? backThenHeld(job, why) : heldThenBack(job, why);
        });
    }

    private Answer<Accepted> backThenHeld(final PbsJob job, final @Nullable UserSentence why) {
        return runner.run(PbsCommand.requeue(site, job.id())).map(put -> {
            if (jobs.find(job.key()) instanceof Answer.Ok<PbsJob> now
                    && now.value().isWaiting()) {
                holds.setOwnHold(
                        now.value(),
                        HoldMark.ENTRY,
                        why); // if this fails, the job still waits because the scheduler is off
            }
            return put;
        });
    }

    private Answer<Accepted> heldThenBack(final PbsJob job, final @Nullable UserSentence why) {
        return runner.run(PbsCommand.hold(site, Holds.OWN_HOLD, job.id())).then(locked -> {
            final Answer<Accepted> put = runner.run(PbsCommand.requeue(site, job.id()));
            return switch (put) {
                case Answer.Ok<Accepted> ok -> marked(job, ok, why);
                case Answer.Trouble<Accepted> trouble -> stillRunning(job, trouble, why);
            };
        });
    }

    /** Marks the job as soon as it waits, so that its hold is not taken for an operator's. */
    private Answer<Accepted> marked(final PbsJob job, final Answer<Accepted> put, final @Nullable UserSentence why) {
        return jobs.find(job.key())
                .then(waiting -> waiting.isWaiting() ? holds.mark(waiting, HoldMark.ENTRY, why) : put)
                .then(marked -> put);
    }

    /** The job was not requeued. A remaining hold would stop it later. */
    private Answer<Accepted> stillRunning(
            final PbsJob job, final Answer.Trouble<Accepted> trouble, final @Nullable UserSentence why) {
        if (!(jobs.find(job.key()) instanceof Answer.Ok<PbsJob> now)) {
            return trouble;
        }
        if (now.value().isWaiting()) {
            if (now.value().isCheckpointed()) {
                runner.run(PbsCommand.runCount(
                        site, now.value().runCount() + 1, job.id())); // PBS counts the next start as the same run
            }
            return marked(job, Answer.ok(new Accepted("checkpointed and requeued by PBS")), why);
        }
        return switch (trouble.kind()) {
            case TIMEOUT, STOPPED, DOWN -> trouble; // the requeue can still happen, and then the hold must be set
            case DENIED, NO_SUCH_JOB, WRONG_STATE, DOES_NOT_FIT, REJECTED, UNREADABLE -> {
                runner.run(PbsCommand.release(site, Holds.OWN_HOLD, List.of(job.id())));
                yield trouble;
            }
        };
    }
}
