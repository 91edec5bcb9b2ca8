package io.millrace.migration.domain.placement;

import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import java.util.List;

/** The decision where a waiting job runs. */
sealed interface PlacementDecision {

    /** On this cluster. {@code reason} gives the figures. */
    record Place(ClusterId cluster, String reason) implements PlacementDecision {}

    /** On no cluster now. {@code vetoes} holds one obstacle per candidate. */
    record Wait(List<Veto> vetoes) implements PlacementDecision {}

    /** On no cluster ever, unless the request changes. */
    record Reject(String reason) implements PlacementDecision {}
}
