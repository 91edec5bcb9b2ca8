package io.millrace.agent.torque;

import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.model.cluster.Capability;
import java.util.EnumMap;
import java.util.Map;

/** The capabilities that OpenPBS 2.3 and Torque do not support, each with its remedy, and the limits of those that they support. */
final class Preconditions implements Restricting {

    private final TorqueSite site;

    Preconditions(final TorqueSite site) {
        this.site = site;
    }

    @Override
    public Restrictions restrictions() {
        return new Restrictions(withheld(), remarks());
    }

    private Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        if (!site.checkpoints()) {
            withheld.put(
                    Capability.NATIVE_CHECKPOINT,
                    "the server does not report whether the nodes can checkpoint jobs; if BLCR or a $checkpoint_script"
                            + " of pbs_mom is configured, set millrace.agent.torque.checkpoints=true");
        }
        withheld.put(
                Capability.TIER,
                "Torque has no preemptible tier; the quota service preempts directly, by requeue and start");
        withheld.put(Capability.LIMIT, "Torque has no soft limits per user; the quota service enforces limits itself");
        return withheld;
    }

    private Map<Capability, String> remarks() {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "qrun does not check whether a job fits, so each start names hosts with enough free cores. Array tasks"
                        + " are started one by one. Maui and Moab must not run under directed control.");
        remarks.put(
                Capability.MOVE,
                "qmove, then start on hosts of the other queue. If requeued, a job waits in the queue in which it"
                        + " ran.");
        remarks.put(Capability.SUSPEND, "a suspended job keeps its cores until it ends");
        remarks.put(
                Capability.SIGNAL,
                "jobs submitted through Millrace receive any signal. In other jobs the login shell also receives it,"
                        + " and ends the job if it does not trap the signal.");
        remarks.put(
                Capability.REQUEUE,
                "the walltime restarts with each run; a job submitted with qsub -r n cannot be requeued");
        return remarks;
    }
}
