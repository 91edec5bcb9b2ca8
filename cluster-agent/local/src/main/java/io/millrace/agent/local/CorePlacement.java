package io.millrace.agent.local;

import io.millrace.model.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Assigns virtual cores to a job. Has no state. */
final class CorePlacement {

    private CorePlacement() {}

    /**
     * Places a request on the free cores.
     *
     * @param free idle cores by node, in the order of the nodes
     * @return cores by node; empty if it does not fit now
     */
    static Optional<Map<String, Integer>> place(final Resources wanted, final Map<String, Integer> free) {
        return wanted.nodes() > 0 ? spread(wanted, free) : pack(wanted.cores(), free);
    }

    /** The node with the fewest idle cores that fits the whole job, otherwise as few nodes as possible. */
    private static Optional<Map<String, Integer>> pack(final int cores, final Map<String, Integer> free) {
        final Optional<String> one = free.entrySet().stream()
                .filter(node -> node.getValue() >= cores)
                .min(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
        if (one.isPresent()) {
            return Optional.of(Map.of(one.get(), cores));
        }
        final Map<String, Integer> taken = new LinkedHashMap<>();
        int missing = cores;
        for (final Map.Entry<String, Integer> node : emptiestFirst(free)) {
            final int share = Math.min(missing, node.getValue());
            if (share > 0) {
                taken.put(node.getKey(), share);
                missing -= share;
            }
        }
        return missing == 0 ? Optional.of(taken) : Optional.empty();
    }

    /** Exactly the requested number of nodes, with cores distributed as evenly as possible. */
    private static Optional<Map<String, Integer>> spread(final Resources wanted, final Map<String, Integer> free) {
        final int nodes = wanted.nodes();
        if (nodes > free.size() || nodes > wanted.cores()) {
            return Optional.empty();
        }
        final Map<String, Integer> taken = new LinkedHashMap<>();
        final List<Map.Entry<String, Integer>> emptiest = emptiestFirst(free).subList(0, nodes);
        for (int i = 0; i < nodes; i++) {
            final int share = wanted.cores() / nodes + (i < wanted.cores() % nodes ? 1 : 0);
            if (emptiest.get(i).getValue() < share) {
                return Optional.empty();
            }
            taken.put(emptiest.get(i).getKey(), share);
        }
        return Optional.of(taken);
    }

    private static List<Map.Entry<String, Integer>> emptiestFirst(final Map<String, Integer> free) {
        final List<Map.Entry<String, Integer>> nodes = new ArrayList<>(free.entrySet());
        nodes.sort(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()));
        return nodes;
    }
}
