package io.millrace.agent.pbspro;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobState;
import java.util.List;

/**
 * Puts running jobs back. While the scheduler is on, held first: it starts a job that was put back within the same second. PBS may save
 * a running job that is held, and take it off its cores; then there is nothing left to put back. With the scheduler off the gate keeps
 * the job, so it is put back first, and held when it waits.
 */
final class Requeues {

    private final PbsSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;

    Requeues(final PbsSite site, final Runner runner, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
    }

    /** @param held whether it is to be held by more than the gate */
    Answer<Accepted> requeue(final JobKey key, final boolean held, final Control control) {
        return jobs.find(key).then(job -> {
            final JobState state = JobStates.of(job, control);
            if (!(state instanceof JobState.Running) && !(state instanceof JobState.Suspended)) {
                return jobs.wrongState(job, "does not run");
            }
            if (!held || job.isSubjob()) { // subjobs cannot be held
                return runner.run(PbsCommand.requeue(site, job.id()));
            }
            return control == Control.DIRECTED ? backThenHeld(job) : heldThenBack(job);
        });
    }

    private Answer<Accepted> backThenHeld(final PbsJob job) {
        return runner.run(PbsCommand.requeue(site, job.id())).map(put -> {
            if (jobs.find(job.key()) instanceof Answer.Ok<PbsJob> now
                    && now.value().isWaiting()) {
                holds.setOwnHold(now.value(), HoldMark.ENTRY); // one that cannot be held now still waits at the gate
            }
            return put;
        });
    }

    private Answer<Accepted> heldThenBack(final PbsJob job) {
        return runner.run(PbsCommand.hold(site, Holds.OWN_HOLD, job.id())).then(locked -> {
            final Answer<Accepted> put = runner.run(PbsCommand.requeue(site, job.id()));
            return switch (put) {
                case Answer.Ok<Accepted> ok -> marked(job, ok);
                case Answer.Trouble<Accepted> trouble -> stillRunning(job, trouble);
            };
        });
    }

    /** Nobody else may think that the hold on it is an operator's: only now that it waits can it be marked. */
    private Answer<Accepted> marked(final PbsJob job, final Answer<Accepted> put) {
        return jobs.find(job.key())
                .then(waiting -> waiting.isWaiting() ? holds.mark(waiting, HoldMark.ENTRY) : put)
                .then(marked -> put);
    }

    /** It was not put back: a hold that stays would stop it at its next chance. */
    private Answer<Accepted> stillRunning(final PbsJob job, final Answer.Trouble<Accepted> trouble) {
        if (!(jobs.find(job.key()) instanceof Answer.Ok<PbsJob> now)) {
            return trouble;
        }
        if (now.value().isWaiting()) {
            if (now.value().isCheckpointed()) {
                runner.run(PbsCommand.runCount(
                        site, now.value().runCount() + 1, job.id())); // PBS counts the next one as the same run
            }
            return marked(job, Answer.ok(new Accepted("PBS saved it and took it off its cores")));
        }
        return switch (trouble.kind()) {
            case TIMEOUT, STOPPED, DOWN -> trouble; // it may yet be put back, and then it shall be held
            case DENIED, NO_SUCH_JOB, WRONG_STATE, REJECTED, UNREADABLE -> {
                runner.run(PbsCommand.release(site, Holds.OWN_HOLD, List.of(job.id())));
                yield trouble;
            }
        };
    }
}
