package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import java.util.List;

/**
 * A reservation of an earlier pass.
 *
 * @param start_s the reserved start
 * @param nodes the reserved nodes; empty if any node will do or they are no longer known
 */
public record EarlierReservation(long start_s, List<NodeName> nodes) {

    public EarlierReservation {
        nodes = List.copyOf(nodes);
    }
}
