package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import java.util.List;

/**
 * What is kept for the first job that cannot start.
 *
 * @param head whose it is
 * @param shadow when its cores will be free at the latest; nobody who overtakes may delay that
 * @param extraCores free at that time beside the head
 * @param nodes that are kept for it; empty if any will do
 */
public record Reservation(QueuedJob head, ShadowTime shadow, int extraCores, List<NodeName> nodes) {

    public Reservation {
        nodes = List.copyOf(nodes);
    }

    Reservation(final QueuedJob head, final ShadowTime shadow, final int extraCores) {
        this(head, shadow, extraCores, List.of());
    }
}
