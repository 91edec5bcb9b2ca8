package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import io.millrace.agent.wlm.Signalling;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.nio.file.Path;

/** Puts running jobs back, stops them for a while, signals them. Each order looks first whether the job runs at all. */
final class RunningJobCommands {

    private final TorqueSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final Holds holds;

    RunningJobCommands(final TorqueSite site, final Runner runner, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.holds = holds;
    }

    /** The local scheduler starts it again when it likes. */
    Answer<Accepted> requeue(final JobKey job) {
        return rerunnable(job)
                .then(seen -> holds.recordRequeue(seen)
                        .then(counted -> runner.run(TorqueCommand.rerun(site, seen.localId()))));
    }

    /** Held first, else the local scheduler starts it again at once. */
    Answer<Accepted> requeueHeld(final JobKey job) {
        return rerunnable(job)
                .then(seen -> holds.holdForRequeue(seen).then(held -> switch (runner.run(
                        TorqueCommand.rerun(site, seen.localId()))) {
                    case Answer.Ok<Accepted> ok -> ok;
                    case Answer.Trouble<Accepted> trouble ->
                        // After a time-out nobody knows whether it was done: then the hold stays, for it may wait.
                        trouble.kind() == Answer.Kind.TIMEOUT || trouble.kind() == Answer.Kind.DOWN
                                ? trouble
                                : holds.restoreHolds(seen).then(undone -> trouble);
                }));
    }

    private Answer<TorqueJob> rerunnable(final JobKey job) {
        return jobs.find(job).then(seen -> {
            if (!seen.stateLetter().matches("[RS]")) {
                return jobs.wrongState(seen, "does not run, it is in state " + seen.stateLetter());
            }
            return seen.isRerunnable()
                    ? Answer.ok(seen)
                    : jobs.wrongState(seen, "may not be put back: its owner handed it in with qsub -r n");
        });
    }

    Answer<Accepted> suspend(final JobKey job) {
        return jobs.find(job)
                .then(seen -> seen.stateLetter().equals("R")
                        ? runner.run(TorqueCommand.signal(site, "suspend", seen.localId()))
                        : jobs.wrongState(seen, "does not run"));
    }

    Answer<Accepted> resume(final JobKey job) {
        return jobs.find(job)
                .then(seen -> seen.stateLetter().equals("S")
                        ? runner.run(TorqueCommand.signal(site, "resume", seen.localId()))
                        : jobs.wrongState(seen, "is not suspended"));
    }

    Answer<Accepted> signal(final JobKey job, final String signal) {
        return Signalling.name(signal)
                .then(name -> jobs.find(job))
                .then(seen ->
                        seen.stateLetter().equals("R") ? signal(seen, signal) : jobs.wrongState(seen, "does not run"));
    }

    /** A job of Millrace's hears by its own script which signal is meant; see {@link SignalForwardingScript}. */
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
