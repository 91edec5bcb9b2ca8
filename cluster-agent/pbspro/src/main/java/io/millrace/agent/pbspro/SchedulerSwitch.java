package io.millrace.agent.pbspro;

import io.millrace.agent.pbspro.command.Holds;
import io.millrace.agent.pbspro.query.ClusterObserver;
import io.millrace.agent.pbspro.query.SchedulingControl;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.model.cluster.Control;

/** Turns the scheduler of the server on and off. Under native control no job keeps an entry hold. */
record SchedulerSwitch(SchedulingControl gate, ClusterObserver snapshot, Holds holds) implements ControlSwitching {

    @Override
    public Answer<Control> control() {
        return gate.control();
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        if (next == Control.DIRECTED) {
            return gate.set(next);
        }
        return snapshot.jobsWithEntryHold()
                .then(held -> gate.set(next).then(turned -> {
                    final Answer<Accepted> let = holds.liftOwnHolds(held);
                    // Some jobs may have ended in the meantime: qrls reports them and continues with the others.
                    return let instanceof Answer.Trouble<Accepted> trouble && trouble.kind() == Answer.Kind.DOWN
                            ? let
                            : Answer.ok(turned);
                }));
    }
}
