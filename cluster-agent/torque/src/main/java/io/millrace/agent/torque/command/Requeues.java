package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.ServerQuery;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.agent.wlm.capability.Requeueing;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import org.jspecify.annotations.Nullable;

/** Requeues running jobs, with or without a hold. */
public final class Requeues implements Requeueing {

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final HoldCommands holds;

    public Requeues(final TorqueSite site, final Runner runner, final JobLookup jobs, final HoldCommands holds) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
    }

    @Override
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return runner.run(new ServerQuery(site))
                .map(ServerQuery::control)
                .then(control -> control == Control.DIRECTED ? requeueHeld(job, why) : requeueFree(job, why));
    }

    /** Requeues a job, which the local scheduler can start again. */
    private Answer<Accepted> requeueFree(final JobKey job, final @Nullable UserSentence why) {
        return rerunnable(job)
                .then(seen -> holds.recordRequeue(seen, why)
                        .then(counted -> runner.run(TorqueCommand.rerun(site, seen.localId()))));
    }

    /** HoldCommands the job before the requeue, because the local scheduler would start it again at once. */
    @Override
    public Answer<Accepted> requeueHeld(final JobKey job, final @Nullable UserSentence why) {
        return rerunnable(job)
                .then(seen -> holds.holdForRequeue(seen, why).then(held -> switch (runner.run(
                        TorqueCommand.rerun(site, seen.localId()))) {
                    case Answer.Ok<Accepted> ok -> ok;
                    case Answer.Trouble<Accepted> trouble ->
                        // After a timeout it is unknown whether the job was requeued. The hold stays, because the job
                        // may wait.
                        trouble.kind() == Answer.Kind.TIMEOUT || trouble.kind() == Answer.Kind.DOWN
                                ? trouble
                                : holds.restoreHolds(seen).then(undone -> trouble);
                }));
    }

    private Answer<TorqueJob> rerunnable(final JobKey job) {
        return jobs.find(job).then(seen -> {
            if (!seen.stateLetter().matches("[RS]")) {
                return jobs.wrongState(seen, "is not running (state " + seen.stateLetter() + ")");
            }
            return seen.isRerunnable()
                    ? Answer.ok(seen)
                    : jobs.wrongState(seen, "cannot be requeued: it was submitted with qsub -r n");
        });
    }
}
