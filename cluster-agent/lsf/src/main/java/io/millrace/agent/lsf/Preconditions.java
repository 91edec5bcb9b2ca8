package io.millrace.agent.lsf;

import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.model.cluster.Capability;
import java.util.EnumMap;
import java.util.Map;

/** Capabilities that this installation does not offer, with the remedy, and remarks on those that it offers. */
final class Preconditions implements Restricting {

    private final LsfSite site;
    private final PreemptionTiers tiers;

    Preconditions(final LsfSite site, final PreemptionTiers tiers) {
        this.site = site;
        this.tiers = tiers;
    }

    @Override
    public Restrictions restrictions() {
        return new Restrictions(withheld(), remarks());
    }

    private Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        tiers.withheld().ifPresent(reason -> withheld.put(Capability.TIER, reason));
        if (site.checkpointDir() == null) {
            withheld.put(
                    Capability.NATIVE_CHECKPOINT,
                    "LSF checkpoints jobs with the site's echkpnt and erestart programs, and no checkpoint directory"
                            + " is configured; install them in LSF_SERVERDIR and set millrace.agent.lsf.checkpoint-dir");
        }
        return withheld;
    }

    private Map<Capability, String> remarks() {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "brun on selected hosts; LSF checks no limits for such a job and does not preempt it");
        remarks.put(
                Capability.MOVE,
                "bswitch, then a start on hosts of the other queue; a job requeued after that run waits in the queue in"
                        + " which it ran");
        remarks.put(
                Capability.HOLD,
                "bstop; a job that its owner resumes waits at the gate under directed control, and is free to "
                        + "start under native control");
        remarks.put(
                Capability.ALTER,
                "pending jobs; running jobs only with LSB_MOD_ALL_JOBS=y in lsf.conf, and " + "never on OpenLava");
        remarks.put(
                Capability.TIER,
                "LSF preempts jobs that its own scheduler started; bswitch of a running job changes what can preempt"
                        + " it");
        remarks.put(
                Capability.NATIVE_CHECKPOINT,
                "a restart creates a new job id; the attempt tag is in the command, which stays the same");
        remarks.put(
                Capability.ACCOUNTING,
                site.logDir() == null
                        ? "from bhist; missed job ends are found within CLEAN_PERIOD, and later if the agent can read"
                                + " lsb.acct (millrace.agent.lsf.log-dir)"
                        : "from bhist and lsb.acct; missed job ends from the end of lsb.acct");
        return remarks;
    }
}
