package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.RequiredPrivilege;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.qos.AdminLevelQuery;
import io.millrace.agent.slurm.qos.QosNames;
import io.millrace.agent.slurm.query.AgentUserQuery;
import io.millrace.agent.slurm.query.ConfigQuery;
import io.millrace.agent.slurm.query.ConfigQuery.Config;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Restricting.Restrictions;
import io.millrace.model.cluster.Capability;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The configuration of a Slurm cluster that determines which capabilities the adapter offers.
 *
 * @param config slurmctld's current settings
 * @param self the agent's user
 * @param adminLevel that user's AdminLevel in slurmdbd; trouble if slurmdbd is absent or does not answer
 */
public record Preconditions(Config config, String self, Answer<String> adminLevel) {

    private static final Pattern RELEASE = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})");

    /** Capabilities that require AdminLevel Administrator for jobs of other users. */
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
    static Preconditions read(final SlurmSite site, final Runner runner) {
        final Config config = runner.run(new ConfigQuery(site)).get();
        final String self = runner.run(new AgentUserQuery()).get();
        return new Preconditions(
                config,
                self,
                hasDatabase(config)
                        ? runner.run(new AdminLevelQuery(site, self))
                        : Answer.trouble(Answer.Kind.REJECTED, "slurmdbd is not configured on this cluster"));
    }

    Restrictions restrictions(final QosNames names) {
        return new Restrictions(withheld(), remarks(names));
    }

    public Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        final List<String> tier = missingForTiers();
        if (!tier.isEmpty()) {
            withheld.put(
                    Capability.TIER, "preemption by QoS is not configured on this cluster: " + String.join("; ", tier));
        }
        final List<String> limit = missingForLimits();
        if (!limit.isEmpty()) {
            withheld.put(Capability.LIMIT, "Slurm cannot enforce limits on this cluster: " + String.join("; ", limit));
        }
        if (!hasDatabase(config) && losesPartitions()) {
            for (final Capability move : List.of(Capability.MOVE, Capability.PARTITION_CHOICE)) {
                withheld.put(
                        move,
                        "without slurmdbd, slurmctld " + config.get("SLURM_VERSION")
                                + " refuses most changes of a job's partition (Resource temporarily unavailable); set"
                                + " AccountingStorageType=accounting_storage/slurmdbd");
            }
        }
        if (!mayAct()) {
            ADMINISTRATORS.forEach(capability -> withheld.put(capability, notAllowed()));
        }
        return withheld;
    }

    /**
     * Since 24.11, slurmctld answers requests in threads that keep their {@code errno}, and takes what is left in it for the result of its
     * search for an association, which finds none without slurmdbd.
     */
    private boolean losesPartitions() {
        final Matcher release = RELEASE.matcher(config.get("SLURM_VERSION"));
        return release.lookingAt()
                && 100 * Integer.parseInt(release.group(1)) + Integer.parseInt(release.group(2)) >= 2411;
    }

    private List<String> missingForTiers() {
        final List<String> missing = new ArrayList<>();
        if (!hasDatabase(config)) {
            missing.add("QoS require slurmdbd; set AccountingStorageType=accounting_storage/slurmdbd");
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
            missing.add("limits require slurmdbd; set AccountingStorageType=accounting_storage/slurmdbd");
            return missing;
        }
        if (!config.has("AccountingStorageEnforce", "limits")) {
            missing.add("AccountingStorageEnforce is '" + config.get("AccountingStorageEnforce")
                    + "'; set AccountingStorageEnforce=associations,limits,qos");
        }
        if (adminLevel instanceof Answer.Trouble<String> trouble) {
            missing.add("slurmdbd does not answer (" + trouble.reason()
                    + "); check that slurmdbd and its database are running");
        }
        return missing;
    }

    /** False only if slurmdbd reports another level: slurmctld caches its administrators while slurmdbd is unavailable. */
    private boolean mayAct() {
        return isSlurm()
                || (hasDatabase(config)
                        && switch (adminLevel) {
                            case Answer.Trouble<String> trouble -> true;
                            case Answer.Ok<String> level -> level.value().equals("Administrator");
                        });
    }

    private boolean isSlurm() {
        return self.equals("root") || config.get("SlurmUser").startsWith(self + "(");
    }

    private String notAllowed() {
        return "the agent's user '" + self
                + "' lacks AdminLevel Administrator, which Slurm requires to change AdminComment, QoS and jobs of other"
                + " users; " + RequiredPrivilege.remedy(self);
    }

    /** Limitations of the offered capabilities on Slurm. */
    Map<Capability, String> remarks(final QosNames names) {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "the job starts in slurmctld's next scheduling cycle if its cores are free; a start of a pending array"
                        + " without task indices releases only the next task; the components of a heterogeneous job start"
                        + " together");
        remarks.put(
                Capability.MOVE,
                "the job moves to the requested partition; Slurm rejects the move if the owner has no access to that"
                        + " partition; if the job is requeued later, it stays in the partition in which it ran");
        remarks.put(
                Capability.PARTITION_CHOICE,
                "Slurm starts the job in the first of its partitions that has free capacity; a requeue keeps the list");
        remarks.put(
                Capability.SUSPEND,
                "a suspended job releases its cores and keeps its memory and GPUs; Slurm's own preemption never"
                        + " resumes it");
        remarks.put(
                Capability.ALTER,
                "the walltime is rounded up to full minutes; for a pending job it is limited by the partition's"
                        + " MaxTime");
        remarks.put(
                Capability.TIER,
                "Slurm itself requeues running jobs of QoS " + names.common() + " for jobs of the users' QoS ("
                        + names.common()
                        + ".USER), immediately and without regard to lost work. A job keeps the QoS in which it"
                        + " started: a job in the common QoS stays preemptible when its owner falls below quota, and a"
                        + " job in a user's QoS stays protected when that user's quota is lowered. A job that cannot"
                        + " be requeued is not moved to the common QoS, because preemption would end it");
        remarks.put(
                Capability.LIMIT,
                "GrpTRES=cpu of the user's QoS: the total cores of its running jobs in all partitions; a lower limit"
                        + " does not end running jobs");
        final String codes = String.join(
                ", ", List.of("RequeueExit=" + orNone("RequeueExit"), "RequeueExitHold=" + orNone("RequeueExitHold")));
        remarks.put(
                Capability.CHECKPOINT,
                "a job that exits has ended, unless it exits with one of the site's requeue codes (" + codes + ")");
        return remarks;
    }

    private String orNone(final String setting) {
        return config.get(setting).isEmpty() ? "none" : config.get(setting);
    }

    private static boolean hasDatabase(final Config config) {
        return config.get("AccountingStorageType").equals("accounting_storage/slurmdbd");
    }
}
