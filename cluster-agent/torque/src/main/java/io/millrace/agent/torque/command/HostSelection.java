package io.millrace.agent.torque.command;

import io.millrace.agent.torque.query.NodeSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Chooses the hosts of a start. {@code qrun} does not check whether a job fits, so the agent names hosts with enough free
 * resources.
 */
final class HostSelection {

    /**
     * A node that accepts work.
     *
     * @param properties its properties and its name
     * @param gpus free GPUs
     * @param memory_mib total memory; 0 if unknown
     */
    record FreeNode(String host, Set<String> properties, int cores, int gpus, long memory_mib) {}

    private record Allocation(int cores, int gpus) {}

    private HostSelection() {}

    /**
     * Returns the hosts in the form of {@code qrun -H}; empty if the job does not fit now.
     *
     * @param spread whether the cores can be on any nodes if they do not fit as specified
     * @param memory_mib memory that the job requested in total
     */
    static Optional<String> choose(
            final NodeSpec spec, final boolean spread, final long memory_mib, final List<FreeNode> rooms) {
        final Optional<String> asAsked = asAsked(spec, memory_mib, rooms);
        return asAsked.isPresent() || !spread ? asAsked : anywhere(spec, rooms);
    }

    /**
     * Places each part on its own nodes: the part with the most properties first, each on the node with the least free capacity
     * that fits.
     */
    private static Optional<String> asAsked(final NodeSpec spec, final long memory_mib, final List<FreeNode> rooms) {
        final List<NodeSpec.Part> parts = new ArrayList<>(spec.parts());
        parts.sort(Comparator.comparingInt(
                        (NodeSpec.Part part) -> -part.properties().size())
                .thenComparingInt(part -> -part.gpus())
                .thenComparingInt(part -> -part.ppn()));
        final List<FreeNode> left = new ArrayList<>(rooms);
        final Map<String, Allocation> chosen = new LinkedHashMap<>();
        for (final NodeSpec.Part part : parts) {
            final long memory = memory_mib * part.ppn() / Math.max(1, spec.cores());
            for (int node = 0; node < part.nodes(); node++) {
                final Optional<FreeNode> room = left.stream()
                        .filter(one -> one.cores() >= part.ppn() && one.gpus() >= part.gpus())
                        .filter(one -> one.properties().containsAll(part.properties()))
                        .filter(one -> one.memory_mib() == 0 || memory <= one.memory_mib())
                        .min(Comparator.comparingInt(FreeNode::gpus)
                                .thenComparingInt(FreeNode::cores)
                                .thenComparing(FreeNode::host));
                if (room.isEmpty()) {
                    return Optional.empty();
                }
                left.remove(room.get());
                chosen.put(room.get().host(), new Allocation(part.ppn(), part.gpus()));
            }
        }
        return Optional.of(specification(chosen));
    }

    /** Places the cores on any nodes, the emptiest first, to use few nodes. */
    private static Optional<String> anywhere(final NodeSpec spec, final List<FreeNode> rooms) {
        int cores = spec.cores();
        int gpus = spec.gpus();
        final Map<String, Allocation> chosen = new LinkedHashMap<>();
        final List<FreeNode> order = rooms.stream()
                .filter(room -> room.cores() > 0)
                .sorted(Comparator.comparingInt(FreeNode::gpus)
                        .thenComparingInt(FreeNode::cores)
                        .reversed()
                        .thenComparing(FreeNode::host))
                .toList();
        for (final FreeNode room : order) {
            if (cores == 0) {
                break;
            }
            final Allocation given = new Allocation(Math.min(cores, room.cores()), Math.min(gpus, room.gpus()));
            chosen.put(room.host(), given);
            cores -= given.cores();
            gpus -= given.gpus();
        }
        return cores == 0 && gpus == 0 ? Optional.of(specification(chosen)) : Optional.empty();
    }

    private static String specification(final Map<String, Allocation> chosen) {
        return chosen.entrySet().stream()
                .map(one -> one.getKey() + ":ppn=" + one.getValue().cores()
                        + (one.getValue().gpus() > 0 ? ":gpus=" + one.getValue().gpus() : ""))
                .collect(Collectors.joining("+"));
    }
}
