package io.millrace.decide;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * Selects nodes for a start that fills each node in turn ({@link io.millrace.model.cluster.StartRule#FILLS_NODES}): empty nodes, and a last
 * one with room for the rest. Finds a selection if there is one, because more filled nodes leave less for the last. Agents and deciding
 * services share it, so that nothing is planned that the agent cannot start.
 *
 * @param <N> a node
 * @param total cores of the node
 * @param room cores that the job could have there now
 */
public record FilledNodes<N>(ToIntFunction<N> total, ToIntFunction<N> room) {

    /**
     * The nodes in the order in which they are filled; few of them, and the fullest as the last.
     *
     * @param perNode cores that the job must have on each node but the last; 0: any number
     * @return empty if the job cannot start on these nodes now
     */
    public List<N> choose(final int cores, final int perNode, final List<N> nodes) {
        final List<N> chosen = new ArrayList<>();
        int left = cores;
        Optional<N> last = last(left, perNode, nodes, chosen);
        for (final N node : empty(perNode, nodes)) {
            if (last.isPresent()) {
                break;
            }
            chosen.add(node);
            left -= total.applyAsInt(node);
            last = last(left, perNode, nodes, chosen);
        }
        last.ifPresent(chosen::add);
        return last.isPresent() ? List.copyOf(chosen) : List.of();
    }

    private Optional<N> last(final int left, final int perNode, final List<N> nodes, final List<N> chosen) {
        return perNode > 0 && left > perNode
                ? Optional.empty()
                : nodes.stream()
                        .filter(node ->
                                room.applyAsInt(node) >= left && chosen.stream().noneMatch(filled -> filled == node))
                        .min(Comparator.comparingInt(room));
    }

    /** Nodes that a start can fill, the largest first. */
    private List<N> empty(final int perNode, final List<N> nodes) {
        return nodes.stream()
                .filter(node -> total.applyAsInt(node) > 0 && room.applyAsInt(node) >= total.applyAsInt(node))
                .filter(node -> perNode == 0 || total.applyAsInt(node) == perNode)
                .sorted(Comparator.comparingInt(total).reversed())
                .toList();
    }
}
