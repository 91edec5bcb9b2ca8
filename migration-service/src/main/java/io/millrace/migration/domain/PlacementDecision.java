package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import java.util.List;

/** Where a waiting job should run. */
sealed interface PlacementDecision {

    /** Here; {@code why} gives the figures. */
    record Place(ClusterId cluster, String reason) implements PlacementDecision {}

    /** Nowhere now; what stands against each cluster that was asked. */
    record Wait(List<Veto> vetoes) implements PlacementDecision {}

    /** Nowhere, ever, as it stands. */
    record Reject(String reason) implements PlacementDecision {}
}
