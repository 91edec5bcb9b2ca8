package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.AccessLists;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.util.List;
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
                AccessLists.of(object, false));
    }

    private @Nullable Integer number(final String... attributes) {
        for (final String attribute : attributes) {
            final long number = object.number(attribute, -1);
            if (number >= 0) {
                return (int) Math.min(number, Integer.MAX_VALUE);
            }
        }
        return null;
    }
}
