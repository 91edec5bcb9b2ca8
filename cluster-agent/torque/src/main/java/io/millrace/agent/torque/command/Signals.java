package io.millrace.agent.torque.command;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.TorqueJob;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.nio.file.Path;

/** Suspends, resumes and signals jobs. */
public record Signals(TorqueSite site, Runner runner) {

    public Answer<Accepted> suspend(final TorqueJob job) {
        return runner.run(TorqueCommand.signal(site, "suspend", job.localId()));
    }

    public Answer<Accepted> resume(final TorqueJob job) {
        return runner.run(TorqueCommand.signal(site, "resume", job.localId()));
    }

    /** Signals a job submitted by Millrace through its own script, see {@link SignalForwardingScript}. */
    public Answer<Accepted> send(final TorqueJob job, final String signal) {
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
