package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.ConfigQuery.Config;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.Capability;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * How this Slurm is set up, as far as it decides what Millrace can do with it.
 *
 * @param config what slurmctld runs with
 * @param self the agent's user
 * @param adminLevel what slurmdbd says of that user; trouble where there is no slurmdbd or it does not answer
 */
record SlurmSetup(Config config, String self, Answer<String> adminLevel) {

    /** Orders that only an administrator of Slurm may give about other users' jobs. */
    private static final List<Capability> ADMINISTRATORS = List.of(
            Capability.START,
            Capability.HOLD,
            Capability.REQUEUE,
            Capability.SUSPEND,
            Capability.SIGNAL,
            Capability.ALTER,
            Capability.TIER,
            Capability.LIMIT,
            Capability.MOVE,
            Capability.PARTITION_CHOICE);

    /** @throws IllegalStateException if slurmctld does not answer */
    static SlurmSetup read(final SlurmSite site, final Runner runner) {
        final Config config = runner.run(new ConfigQuery(site)).get();
        final String self = runner.run(new AgentUserQuery()).get();
        return new SlurmSetup(
                config,
                self,
                hasDatabase(config)
                        ? runner.run(new AdminLevelQuery(site, self))
                        : Answer.trouble(Answer.Kind.REJECTED, "this cluster has no slurmdbd"));
    }

    Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        final List<String> tier = missingForTiers();
        if (!tier.isEmpty()) {
            withheld.put(Capability.TIER, "Slurm does not preempt by QoS here: " + String.join("; ", tier));
        }
        final List<String> limit = missingForLimits();
        if (!limit.isEmpty()) {
            withheld.put(Capability.LIMIT, "Slurm keeps no limits here: " + String.join("; ", limit));
        }
        if (!mayAct()) {
            ADMINISTRATORS.forEach(capability -> withheld.put(capability, notAllowed()));
        }
        return withheld;
    }

    private List<String> missingForTiers() {
        final List<String> missing = new ArrayList<>();
        if (!hasDatabase(config)) {
            missing.add("there is no slurmdbd, which QoS need; set AccountingStorageType=accounting_storage/slurmdbd");
        }
        if (!config.has("AccountingStorageEnforce", "qos") || !config.has("AccountingStorageEnforce", "limits")) {
            missing.add("AccountingStorageEnforce is '" + config.get("AccountingStorageEnforce")
                    + "'; set AccountingStorageEnforce=associations,limits,qos");
        }
        if (!config.get("PreemptType").equals("preempt/qos")) {
            missing.add("PreemptType is '" + config.get("PreemptType") + "'; set PreemptType=preempt/qos");
        }
        if (!config.has("PreemptMode", "REQUEUE")) {
            missing.add("PreemptMode is '" + config.get("PreemptMode") + "'; set PreemptMode=REQUEUE");
        }
        return missing;
    }

    private List<String> missingForLimits() {
        final List<String> missing = new ArrayList<>();
        if (!hasDatabase(config)) {
            missing.add("there is no slurmdbd; set AccountingStorageType=accounting_storage/slurmdbd");
            return missing;
        }
        if (!config.has("AccountingStorageEnforce", "limits")) {
            missing.add("AccountingStorageEnforce is '" + config.get("AccountingStorageEnforce")
                    + "'; set AccountingStorageEnforce=associations,limits,qos");
        }
        if (adminLevel instanceof Answer.Trouble<String> silent) {
            missing.add("slurmdbd does not answer (" + silent.because() + "); is it running, and its database?");
        }
        return missing;
    }

    /** False only if slurmdbd says so: slurmctld knows its administrators also while slurmdbd is away. */
    private boolean mayAct() {
        return isSlurm()
                || (hasDatabase(config)
                        && switch (adminLevel) {
                            case Answer.Trouble<String> silent -> true;
                            case Answer.Ok<String> level -> level.value().equals("Administrator");
                        });
    }

    private boolean isSlurm() {
        return self.equals("root") || config.get("SlurmUser").startsWith(self + "(");
    }

    private String notAllowed() {
        return "the agent runs as '" + self
                + "', who is no administrator of this Slurm (AdminComment, QoS and other users'"
                + " jobs are an Administrator's); " + RequiredPrivilege.remedy(self);
    }

    /** How far what is offered goes on Slurm. */
    Map<Capability, String> remarks(final QosNames names) {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "the job starts at slurmctld's next pass, if its cores are free; the start of a waiting array lets go its"
                        + " next task alone; a heterogeneous job starts as a whole, by its first part");
        remarks.put(
                Capability.MOVE,
                "the job leaves its own partition for the one named, which Slurm refuses to those who may not use it; put back"
                        + " after that run, it waits in the partition in which it ran");
        remarks.put(
                Capability.PARTITION_CHOICE,
                "Slurm starts it in the first of its partitions that has room; after a requeue it has the same choice again");
        remarks.put(
                Capability.SUSPEND,
                "a suspended job leaves its cores to others and keeps its memory and GPUs; Slurm's own preemption never"
                        + " resumes it");
        remarks.put(
                Capability.ALTER, "in full minutes, rounded up; a waiting job stays within its partition's MaxTime");
        remarks.put(
                Capability.TIER,
                "Slurm itself requeues running jobs of QoS " + names.common() + " for jobs of users' own QoS ("
                        + names.common()
                        + ".USER), without a delay and without regard to the work lost. A job keeps the QoS"
                        + " it started in: one of the common QoS stays preemptible when its owner falls below quota, one of"
                        + " an own QoS is safe when its owner's quota is lowered. A job that cannot be requeued is not moved"
                        + " to the common QoS: preemption would end it");
        remarks.put(
                Capability.LIMIT,
                "GrpTRES=cpu of the user's own QoS: what its running jobs have together, on all partitions; lowered, it"
                        + " ends nothing that runs");
        final String codes = String.join(
                ", ", List.of("RequeueExit=" + orNone("RequeueExit"), "RequeueExitHold=" + orNone("RequeueExitHold")));
        remarks.put(
                Capability.CHECKPOINT,
                "a job that exits has ended, unless with one of the site's requeue codes (" + codes + ")");
        return remarks;
    }

    private String orNone(final String setting) {
        return config.get(setting).isEmpty() ? "none" : config.get(setting);
    }

    private static boolean hasDatabase(final Config config) {
        return config.get("AccountingStorageType").equals("accounting_storage/slurmdbd");
    }
}
