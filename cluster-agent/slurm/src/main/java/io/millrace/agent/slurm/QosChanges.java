package io.millrace.agent.slurm;

import io.millrace.model.UserName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must be changed in slurmdbd so that a user has the quota of UPQPP (paper 1, 1.2.3): an own QoS limited to so many cores, which may
 * preempt jobs of the common QoS; both allowed, the own one the default. Nothing to change means that it is so.
 *
 * @param clusterName as slurm.conf calls the cluster
 */
record QosChanges(SlurmSite site, String clusterName, QosNames names) {

    /** With priority/multifactor and a PriorityWeightQOS, work within quota is looked at before borrowed work. */
    private static final long OWN_PRIORITY = 1000;

    /** @param present Millrace's QoS as they are; @param associations the user's on this cluster */
    List<ChangeCommand> toSet(
            final UserName user, final int cores, final List<Qos> present, final List<Association> associations) {
        final List<ChangeCommand> orders = new ArrayList<>();
        final String common = names.common();
        final String own = names.own(user);
        keepCommon(find(present, common), orders);
        keepOwn(find(present, own), own, cores, orders);
        final boolean ready = associations.stream()
                .allMatch(one -> one.qos().containsAll(Set.of(common, own))
                        && one.defaultQos().equals(own));
        if (!ready) {
            orders.add(user(user, "qos+=" + own + "," + common, "defaultqos=" + own));
        }
        return orders;
    }

    /** The own QoS goes; the common one stays allowed, for what waits in it. Jobs that run in the own one run on, in none. */
    List<ChangeCommand> toClear(final UserName user, final List<Qos> present, final List<Association> associations) {
        final List<ChangeCommand> orders = new ArrayList<>();
        final String own = names.own(user);
        if (associations.stream().anyMatch(one -> one.defaultQos().equals(own))) {
            orders.add(user(user, "defaultqos=-1"));
        }
        if (associations.stream().anyMatch(one -> one.qos().contains(own))) {
            orders.add(user(user, "qos-=" + own));
        }
        if (find(present, own) != null) {
            orders.add(Sacctmgr.of(site, "delete", "qos", "where", "name=" + own));
        }
        return orders;
    }

    private void keepCommon(final @Nullable Qos common, final List<ChangeCommand> orders) {
        if (common == null) {
            orders.add(Sacctmgr.of(site, "add", "qos", names.common(), "set", "PreemptMode=requeue"));
        } else if (!common.requeues()) {
            orders.add(Sacctmgr.of(
                    site, "modify", "qos", "where", "name=" + names.common(), "set", "PreemptMode=requeue"));
        }
    }

    private void keepOwn(
            final @Nullable Qos own, final String name, final int cores, final List<ChangeCommand> orders) {
        final String[] settings = {"GrpTRES=cpu=" + cores, "Preempt=" + names.common(), "Priority=" + OWN_PRIORITY};
        if (own == null) {
            orders.add(Sacctmgr.of(site, "add", "qos", name, "set", settings[0], settings[1], settings[2]));
        } else if (own.cores() == null
                || own.cores() != cores
                || !own.preempts().equals(Set.of(names.common()))
                || own.priority() != OWN_PRIORITY) {
            orders.add(Sacctmgr.of(
                    site, "modify", "qos", "where", "name=" + name, "set", settings[0], settings[1], settings[2]));
        }
    }

    private ChangeCommand user(final UserName user, final String... settings) {
        final List<String> words =
                new ArrayList<>(List.of("modify", "user", "where", "name=" + user, "cluster=" + clusterName, "set"));
        words.addAll(List.of(settings));
        return new Sacctmgr(site, words);
    }

    private static @Nullable Qos find(final List<Qos> present, final String name) {
        return present.stream()
                .filter(qos -> qos.name().equals(name))
                .findFirst()
                .orElse(null);
    }
}
