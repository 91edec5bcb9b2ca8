package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue as printed by {@code qstat -Q -f}. */
public record TorqueQueue(PbsObject object) {

    PartitionName name() {
        return PartitionName.of(object.name());
    }

    /** The property of the queue's nodes; null if it uses all nodes. */
    @Nullable
    String property() {
        final String wanted = object.get("resources_default.neednodes", "").strip();
        return wanted.isEmpty() || Character.isDigit(wanted.charAt(0)) ? null : wanted.split(":")[0];
    }

    public boolean contains(final TorqueNode node) {
        final String property = property();
        return property == null
                || node.properties().contains(property)
                || node.object().name().equals(property);
    }

    PartitionObserved observed(final ClusterId cluster, final List<TorqueNode> nodes, final String standard) {
        final boolean takes = object.is("enabled");
        return new PartitionObserved(
                cluster,
                name(),
                takes && object.is("started"),
                object.name().equals(standard),
                nodes.stream()
                        .filter(this::contains)
                        .mapToInt(TorqueNode::cores)
                        .sum(),
                PbsDuration.read(object.get("resources_max.walltime")),
                new PartitionLimits(
                        takes,
                        (int) object.number("resources_min.nodect", 0),
                        number("resources_max.nodect"),
                        number("resources_max.procct", "resources_max.procs", "resources_max.ncpus"),
                        PbsDuration.read(object.get("resources_default.walltime"))),
                access());
    }

    private @Nullable Integer number(final String... attributes) {
        for (final String attribute : attributes) {
            final long figure = object.number(attribute, -1);
            if (figure >= 0) {
                return (int) Math.min(figure, Integer.MAX_VALUE);
            }
        }
        return null;
    }

    private Access access() {
        final Set<UserName> users = new HashSet<>();
        final Set<UserName> not = new HashSet<>();
        if (object.is("acl_user_enable")) {
            for (final String entry : entries("acl_users")) {
                final String user = entry.replaceFirst("^[+-]", "").replaceFirst("@[^@]*$", "");
                if (user.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.@+-]{0,127}\\$?")) {
                    (entry.startsWith("-") ? not : users).add(UserName.of(user));
                }
            }
        }
        final Set<String> groups =
                object.is("acl_group_enable") ? new HashSet<>(entries("acl_groups")) : new HashSet<>();
        final Set<String> notGroups = new HashSet<>();
        for (final String group : List.copyOf(groups)) {
            if (group.startsWith("-")) {
                groups.remove(group);
                notGroups.add(group.substring(1));
            }
        }
        return new Access(users, groups, Set.of(), not, notGroups, Set.of());
    }

    private List<String> entries(final String attribute) {
        return Arrays.stream(object.get(attribute, "").split("[,\\s]+"))
                .filter(entry -> !entry.isEmpty())
                .toList();
    }
}
