package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.ControlFile;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.model.cluster.Control;
import java.util.function.Supplier;

/** Reads and writes the file that tells {@code job_submit.lua} who starts jobs. */
record SchedulerSwitch(SlurmSite site, Runner runner, Holds holds, Supplier<String> nonces)
        implements ControlSwitching {

    @Override
    public Answer<Control> control() {
        return runner.run(new ControlFile.Read(site));
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return runner.run(new ControlFile.Locate(site))
                .then(file -> runner.run(new ControlFile.Write(file, next))
                        .then(written -> runner.run(new ControlFile.Publish(file))))
                .then(published -> next == Control.NATIVE ? holds.releaseEntryHolds(nonces) : Answer.ok(published));
    }
}
