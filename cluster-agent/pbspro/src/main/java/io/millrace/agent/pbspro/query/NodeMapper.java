package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbs.PbsSize;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Maps a host of {@code pbsnodes -a} to an observation. */
final class NodeMapper {

    /** {@code <various>}: the vnodes of the host are in different states. */
    private static final Set<String> UP =
            Set.of("free", "job-busy", "busy", "job-exclusive", "job-sharing", "<various>");

    private static final Set<String> TAKES_NOTHING =
            Set.of("offline", "maintenance", "provisioning", "wait-provisioning", "initializing", "resv-exclusive");
    private static final Set<String> DOWN = Set.of(
            "down", "stale", "unresolvable", "state-unknown", "unknown", "needs-hello-reply", "sleep", "deleted");
    private static final Set<String> GPUS = Set.of("ngpus", "gpus", "naccelerators");

    private NodeMapper() {}

    /**
     * @param vnodes of the host, if they are in different states
     * @param shared partitions of nodes that are not assigned to a queue
     */
    static NodeObserved of(
            final ClusterId cluster,
            final PbsObject host,
            final List<PbsObject> vnodes,
            final List<PartitionName> shared) {
        final List<PbsObject> parts = vnodes.isEmpty() ? List.of(host) : vnodes;
        final Availability availability = parts.stream()
                .map(part -> availability(part.get("state", "")))
                .min(Comparator.naturalOrder()) // a host is as available as its best vnode
                .orElse(Availability.UNKNOWN);
        final Resources free = parts.stream().map(NodeMapper::free).reduce(Resources.NONE, Resources::plus);
        return new NodeObserved(
                cluster,
                NodeName.of(host.name()),
                availability,
                resources(host, cores(host), "resources_available", 1),
                new Resources(free.cores(), free.nodes() == parts.size() ? 1 : 0, free.memoryMib(), free.gpus()),
                availability == Availability.UP ? null : reason(host, host.get("state", "")),
                features(host),
                queue(host).map(List::of).orElse(shared));
    }

    /** What a vnode can give to jobs. */
    private static Resources free(final PbsObject vnode) {
        final String state = vnode.get("state", "");
        if (availability(state) != Availability.UP || state.contains("exclusive")) {
            return Resources.NONE;
        }
        final long used = vnode.number("resources_assigned.ncpus", 0);
        return resources(vnode, cores(vnode), "resources_available", 1)
                .minus(resources(vnode, used, "resources_assigned", used > 0 ? 1 : 0));
    }

    /** States can be combined ({@code down,offline}); the worst one counts. */
    static Availability availability(final String states) {
        final List<String> list = Arrays.stream(states.toLowerCase(Locale.ROOT).split(","))
                .map(String::strip)
                .toList();
        if (list.stream().anyMatch(DOWN::contains)) {
            return Availability.DOWN;
        }
        if (list.stream().anyMatch(TAKES_NOTHING::contains)) {
            return Availability.DRAINED;
        }
        return UP.containsAll(list) ? Availability.UP : Availability.UNKNOWN;
    }

    static Optional<PartitionName> queue(final PbsObject node) {
        final String queue = node.get("queue", "");
        return queue.isEmpty() ? Optional.empty() : Optional.of(PartitionName.of(queue));
    }

    static int cores(final PbsObject node) {
        return (int) node.number("resources_available.ncpus", node.number("pcpus", 0));
    }

    private static Resources resources(final PbsObject node, final long cores, final String group, final int nodes) {
        long gpus = 0;
        for (final String name : GPUS) {
            gpus = Math.max(gpus, node.number(group + "." + name, 0));
        }
        return new Resources((int) cores, nodes, PbsSize.mib(node.get(group + ".mem")), (int) gpus);
    }

    private static String reason(final PbsObject node, final String state) {
        final String comment = node.get("comment", "").strip();
        return comment.isEmpty() ? state : state + ": " + comment;
    }

    /** Boolean resources that are true, and the architecture. */
    private static List<String> features(final PbsObject node) {
        final List<String> features = new ArrayList<>();
        node.group("resources_available").forEach((name, value) -> {
            if (value.equalsIgnoreCase("true")) {
                features.add(name);
            } else if (name.equals("arch") && !value.isBlank()) {
                features.add("arch=" + value.strip());
            }
        });
        return features.stream().sorted().toList();
    }
}
