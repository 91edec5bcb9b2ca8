package io.millrace.agent.torque;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.torque.command.HoldCommands;
import io.millrace.agent.torque.command.TorqueCommand;
import io.millrace.agent.torque.query.InstalledFeatures;
import io.millrace.agent.torque.query.JobQuery;
import io.millrace.agent.torque.query.ServerQuery;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.model.cluster.Control;

/** Turns the scheduler of the server on and off. Under native control no job keeps an entry hold. */
record SchedulerSwitch(TorqueSite site, Runner runner, HoldCommands holds, InstalledFeatures features)
        implements ControlSwitching {

    @Override
    public Answer<Control> control() {
        return runner.run(new ServerQuery(site)).map(ServerQuery::control);
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return runner.run(TorqueCommand.scheduling(site, next == Control.NATIVE))
                .then(switched -> next == Control.DIRECTED
                        ? Answer.ok(switched)
                        : features.get()
                                .then(known -> runner.run(JobQuery.all(site, known)))
                                .then(holds::releaseAllEntryHolds));
    }
}
