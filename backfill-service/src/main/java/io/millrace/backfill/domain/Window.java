package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.view.Nodes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cores that nobody may use for a while: maintenance, or a reservation made in advance. Of a window that names no nodes, it is not known where its
 * cores lie, unless they are all of the cluster or of its partition.
 *
 * @param from_s when it begins, seconds since the epoch
 * @param until_s when it ends, likewise; {@link ShadowTime#NEVER} if that is open
 * @param cores how many; those of its nodes, if it names some
 * @param partition whose cores; null: the whole cluster's
 * @param nodes that are withheld as a whole, with their memory and accelerators; empty if none are named
 * @param because what it is, as a waiting job is told
 */
public record Window(
        long from_s, long until_s, int cores, @Nullable PartitionName partition, List<NodeName> nodes, String because) {

    public Window(
            final long from_s,
            final long until_s,
            final int cores,
            final @Nullable PartitionName partition,
            final String because) {
        this(from_s, until_s, cores, partition, List.of(), because);
    }

    /** Nodes that it withholds as a whole: those it names, or all of the cluster or its partition if they have no more cores than it withholds. */
    List<Integer> closes(final Nodes known) {
        if (!nodes.isEmpty()) {
            return nodes.stream().map(known::index).filter(node -> node >= 0).toList();
        }
        final List<Integer> all = known.in(partition);
        return all.stream().mapToInt(known::cores).sum() <= cores ? all : List.of();
    }

    public Window {
        nodes = List.copyOf(nodes);
        if (cores < 1 || from_s >= until_s) {
            throw new IllegalArgumentException(
                    "window '" + because + "' needs cores and an end after its beginning; got " + cores + " cores from "
                            + from_s + " until " + until_s);
        }
    }
}
