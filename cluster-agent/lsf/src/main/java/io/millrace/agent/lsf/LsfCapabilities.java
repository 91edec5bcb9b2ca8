package io.millrace.agent.lsf;

import io.millrace.model.cluster.Capability;
import java.util.EnumMap;
import java.util.Map;

/** What this installation does not allow, and what would change that; and how far goes what it allows. */
final class LsfCapabilities {

    private final LsfSite site;
    private final PreemptionTiers tiers;

    LsfCapabilities(final LsfSite site, final PreemptionTiers tiers) {
        this.site = site;
        this.tiers = tiers;
    }

    Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        tiers.withheld().ifPresent(because -> withheld.put(Capability.TIER, because));
        if (site.checkpointDir() == null) {
            withheld.put(
                    Capability.NATIVE_CHECKPOINT,
                    "LSF saves jobs only by the site's echkpnt and erestart programs, and no folder is named for what they save; "
                            + "install them in LSF_SERVERDIR and set millrace.agent.lsf.checkpoint-dir");
        }
        return withheld;
    }

    Map<Capability, String> remarks() {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "by brun on named hosts: LSF checks no limit then, and does not preempt a job started so by itself");
        remarks.put(
                Capability.MOVE,
                "bswitch, then as any start, on hosts of the other queue; put back after that run, a job waits in the queue in"
                        + " which it ran");
        remarks.put(
                Capability.HOLD,
                "by bstop; a job that its owner resumes waits at the gate while the cluster is directed, and is free to "
                        + "start while it is native");
        remarks.put(
                Capability.ALTER,
                "of waiting jobs; of running ones where the installation allows it (LSF: LSB_MOD_ALL_JOBS=y; the open "
                        + "work-alike: never)");
        remarks.put(
                Capability.TIER,
                "LSF preempts what its own scheduler started; a running job changes its queue, and with it what may preempt it");
        remarks.put(
                Capability.NATIVE_CHECKPOINT,
                "a restart makes a new job id; the tag is in the command, which stays the same");
        remarks.put(
                Capability.ACCOUNTING,
                site.logDir() == null
                        ? "from bhist; ends nobody saw are found within CLEAN_PERIOD; further back where the agent can read"
                                + " lsb.acct (millrace.agent.lsf.log-dir)"
                        : "from bhist and lsb.acct; ends nobody saw from the tail of lsb.acct");
        return remarks;
    }
}
