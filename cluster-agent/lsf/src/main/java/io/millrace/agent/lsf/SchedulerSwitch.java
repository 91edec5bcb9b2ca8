package io.millrace.agent.lsf;

import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.observe.ClusterTopology;
import io.millrace.agent.lsf.observe.QueueGate;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.ControlSwitching;
import io.millrace.model.cluster.Control;

/** Closes and opens the gate of each queue. */
record SchedulerSwitch(
        LsfSite site, QueueGate gate, ClusterTopology topology, SnapshotReader observer, HoldCommands holds)
        implements ControlSwitching {

    @Override
    public Answer<Control> control() {
        return topology.queues().map(gate::control);
    }

    @Override
    public boolean isPartial() {
        return gate.isPartial(topology.lastSeen());
    }

    @Override
    public Answer<Accepted> control(final Control next) {
        return topology.queues()
                .then(queues -> next == Control.DIRECTED
                        ? gate.close(queues)
                        : gate.open(queues).then(this::releaseAll));
    }

    /** Under native control no job keeps an entry hold. */
    private Answer<Accepted> releaseAll(final Accepted opened) {
        return observer.heldAtTheGate().map(jobs -> {
            // A job that has ended meanwhile, or that its owner holds now, has no entry hold.
            jobs.forEach(job -> holds.release(job.key(site.cluster()), job.commandId()));
            return opened;
        });
    }
}
