package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.torque.query.JobLookup;
import io.millrace.agent.torque.query.JobStates;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.RunningJobGuard;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Requeues, suspends, resumes and signals running jobs, after a check that the job runs. */
public final class RunningJobCommands {

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final RunningJobGuard<TorqueJob> running;
    private final Holds holds;

    public RunningJobCommands(final TorqueSite site, final Runner runner, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.running = new RunningJobGuard<>(jobs::find, job -> JobStates.of(job, Control.NATIVE), jobs::wrongState);
        this.holds = holds;
    }

    /** Requeues a job, which the local scheduler can start again. */
    public Answer<Accepted> requeue(final JobKey job, final @Nullable UserSentence why) {
        return rerunnable(job)
                .then(seen -> holds.recordRequeue(seen, why)
                        .then(counted -> runner.run(TorqueCommand.rerun(site, seen.localId()))));
    }

    /** Holds the job before the requeue, because the local scheduler would start it again at once. */
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

    public Answer<Accepted> suspend(final JobKey job) {
        return running.ifRunning(job, seen -> runner.run(TorqueCommand.signal(site, "suspend", seen.localId())));
    }

    public Answer<Accepted> resume(final JobKey job) {
        return running.ifSuspended(job, seen -> runner.run(TorqueCommand.signal(site, "resume", seen.localId())));
    }

    public Answer<Accepted> signal(final JobKey job, final String signal) {
        return running.ifSignalValid(job, signal, seen -> signal(seen, signal));
    }

    /** Signals a job submitted by Millrace through its own script, see {@link SignalForwardingScript}. */
    private Answer<Accepted> signal(final TorqueJob job, final String signal) {
        final String directory = JobVariables.decode(job.variables().getOrDefault(JobVariables.DIRECTORY, ""));
        if (!directory.startsWith("/") || JobVariables.attempt(job.variables()) == null) {
            return runner.run(TorqueCommand.signal(site, "SIG" + signal, job.localId()));
        }
        final Path note = Path.of(directory).resolve(SignalForwardingScript.signalFile(job.localId()));
        return runner.as(UserName.of(job.owner()))
                .run(new SignalFile(note, signal))
                .then(noted -> runner.run(TorqueCommand.signal(site, "SIGURG", job.localId())));
    }
}
