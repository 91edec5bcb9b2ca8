package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import java.util.List;

/**
 * A reservation for a job that cannot start now.
 *
 * @param head the job that holds it
 * @param shadow when its cores will be free at the latest; no backfilled job may delay this
 * @param extraCores cores that the job leaves free at that time
 * @param nodes reserved for it; empty if any node will do
 */
public record Reservation(QueuedJob head, ShadowTime shadow, int extraCores, List<NodeName> nodes) {

    public Reservation {
        nodes = List.copyOf(nodes);
    }

    public Reservation(final QueuedJob head, final ShadowTime shadow, final int extraCores) {
        this(head, shadow, extraCores, List.of());
    }
}
