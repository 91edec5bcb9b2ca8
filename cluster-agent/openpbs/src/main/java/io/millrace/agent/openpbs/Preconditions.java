package io.millrace.agent.openpbs;

import io.millrace.model.cluster.Capability;
import java.util.EnumMap;
import java.util.Map;

/** What OpenPBS 2.3 and Torque do not allow, and what would change that; and how far goes what they allow. */
final class Preconditions {

    private final TorqueSite site;

    Preconditions(final TorqueSite site) {
        this.site = site;
    }

    Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        if (!site.checkpoints()) {
            withheld.put(
                    Capability.NATIVE_CHECKPOINT,
                    "whether the nodes can save jobs cannot be asked of the server, which says yes to everything; where BLCR or a"
                            + " $checkpoint_script of pbs_mom is set up, say millrace.agent.openpbs.checkpoints=true");
        }
        withheld.put(
                Capability.TIER,
                "OpenPBS and Torque have no preemptible tier; the quota service preempts directly, by requeue and start");
        withheld.put(
                Capability.LIMIT,
                "OpenPBS and Torque keep no limit per user beyond which work is preemptible; the quota service keeps it itself");
        return withheld;
    }

    Map<Capability, String> remarks() {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "qrun asks nobody whether a job fits: each start names hosts that have the free cores, and tasks of arrays are"
                        + " started one by one; Maui or Moab must not run beside directed control");
        remarks.put(
                Capability.MOVE,
                "qmove, then as any start, on hosts of the other queue; put back after that run, a job waits in the queue in"
                        + " which it ran");
        remarks.put(
                Capability.SUSPEND,
                "a suspended job keeps its cores: the server gives them to nobody else until it ends");
        remarks.put(
                Capability.SIGNAL,
                "jobs handed in by Millrace hear any signal; in others the login shell hears it too, and ends the job if it does"
                        + " not trap it");
        remarks.put(
                Capability.REQUEUE, "the walltime starts anew with each run; a job of qsub -r n cannot be put back");
        return remarks;
    }
}
