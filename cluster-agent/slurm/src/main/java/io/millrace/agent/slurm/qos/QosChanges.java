package io.millrace.agent.slurm.qos;

import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.Sacctmgr;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.model.UserName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The changes in slurmdbd that give a user a quota under UPQPP (paper 1, 1.2.3). The user gets a QoS that is limited to the quota's cores
 * and may preempt jobs of the common QoS. Both QoS are allowed, and the user's QoS is the default. No changes means that this is done.
 *
 * @param clusterName ClusterName in slurm.conf
 */
public record QosChanges(SlurmSite site, String clusterName, QosNames names) {

    /** With priority/multifactor and a PriorityWeightQOS, jobs within quota are considered before borrowed ones. */
    private static final long OWN_PRIORITY = 1000;

    /**
     * @param cores the quota
     * @param present Millrace's current QoS
     * @param associations the user's associations on this cluster
     */
    public List<ChangeCommand> toSet(
            final UserName user, final int cores, final List<Qos> present, final List<Association> associations) {
        final List<ChangeCommand> commands = new ArrayList<>();
        final String common = names.common();
        final String own = names.own(user);
        ensureCommon(find(present, common), commands);
        ensureOwn(find(present, own), own, cores, commands);
        final boolean ready = associations.stream()
                .allMatch(one -> one.qos().containsAll(Set.of(common, own))
                        && one.defaultQos().equals(own));
        if (!ready) {
            commands.add(user(user, "qos+=" + own + "," + common, "defaultqos=" + own));
        }
        return commands;
    }

    /**
     * Deletes the user's QoS. The common QoS stays allowed because jobs may be pending in it. Running jobs of the user's QoS continue
     * without a QoS.
     */
    public List<ChangeCommand> toClear(
            final UserName user, final List<Qos> present, final List<Association> associations) {
        final List<ChangeCommand> commands = new ArrayList<>();
        final String own = names.own(user);
        if (associations.stream().anyMatch(one -> one.defaultQos().equals(own))) {
            commands.add(user(user, "defaultqos=-1"));
        }
        if (associations.stream().anyMatch(one -> one.qos().contains(own))) {
            commands.add(user(user, "qos-=" + own));
        }
        if (find(present, own) != null) {
            commands.add(Sacctmgr.of(site, "delete", "qos", "where", "name=" + own));
        }
        return commands;
    }

    private void ensureCommon(final @Nullable Qos common, final List<ChangeCommand> commands) {
        if (common == null) {
            commands.add(Sacctmgr.of(site, "add", "qos", names.common(), "set", "PreemptMode=requeue"));
        } else if (!common.requeues()) {
            commands.add(Sacctmgr.of(
                    site, "modify", "qos", "where", "name=" + names.common(), "set", "PreemptMode=requeue"));
        }
    }

    private void ensureOwn(
            final @Nullable Qos own, final String name, final int cores, final List<ChangeCommand> commands) {
        final String[] settings = {"GrpTRES=cpu=" + cores, "Preempt=" + names.common(), "Priority=" + OWN_PRIORITY};
        if (own == null) {
            commands.add(Sacctmgr.of(site, "add", "qos", name, "set", settings[0], settings[1], settings[2]));
        } else if (own.cores() == null
                || own.cores() != cores
                || !own.preempts().equals(Set.of(names.common()))
                || own.priority() != OWN_PRIORITY) {
            commands.add(Sacctmgr.of(
                    site, "modify", "qos", "where", "name=" + name, "set", settings[0], settings[1], settings[2]));
        }
    }

    private ChangeCommand user(final UserName user, final String... settings) {
        final List<String> arguments =
                new ArrayList<>(List.of("modify", "user", "where", "name=" + user, "cluster=" + clusterName, "set"));
        arguments.addAll(List.of(settings));
        return new Sacctmgr(site, arguments);
    }

    private static @Nullable Qos find(final List<Qos> present, final String name) {
        return present.stream()
                .filter(qos -> qos.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
