package io.millrace.agent.openpbs;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Chooses the hosts of a start. {@code qrun} asks nobody whether a job fits, so a start names hosts that have the room. */
final class HostSelection {

    /**
     * A node that may take work now.
     *
     * @param properties its properties and its name
     * @param gpus free ones
     * @param memory_mib what it has in all; 0: not known
     */
    record FreeNode(String host, Set<String> properties, int cores, int gpus, long memory_mib) {}

    private record Allocation(int cores, int gpus) {}

    private HostSelection() {}

    /**
     * As {@code qrun -H} takes them; empty if they do not fit now.
     *
     * @param spread whether the cores may lie on any nodes, if they do not fit as the spec says
     * @param memory_mib what the job asks for in all
     */
    static Optional<String> choose(
            final NodeSpec spec, final boolean spread, final long memory_mib, final List<FreeNode> rooms) {
        final Optional<String> asAsked = asAsked(spec, memory_mib, rooms);
        return asAsked.isPresent() || !spread ? asAsked : anywhere(spec, rooms);
    }

    /** Each part on nodes of its own; the pickiest first, each on the fullest node where it fits. */
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
        return Optional.of(words(chosen));
    }

    /** As many as it takes of each, the emptiest first, so that it lies on few nodes. */
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
        return cores == 0 && gpus == 0 ? Optional.of(words(chosen)) : Optional.empty();
    }

    private static String words(final Map<String, Allocation> chosen) {
        return chosen.entrySet().stream()
                .map(one -> one.getKey() + ":ppn=" + one.getValue().cores()
                        + (one.getValue().gpus() > 0 ? ":gpus=" + one.getValue().gpus() : ""))
                .collect(Collectors.joining("+"));
    }
}
