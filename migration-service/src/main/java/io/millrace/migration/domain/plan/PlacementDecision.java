package io.millrace.migration.domain.plan;

import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import java.util.List;

/** The decision where a waiting job runs. */
sealed interface PlacementDecision {

    /** On this cluster. {@code reason} gives the figures. */
    record Place(ClusterId cluster, String reason) implements PlacementDecision {}

    /**
     * On no cluster now.
     *
     * @param vetoes one obstacle per candidate
     * @param awaitsClass whether a cluster waits for the class of the job
     * @param hesitates whether a cluster could start it now, but a prediction is against it
     */
    record Wait(List<Veto> vetoes, boolean awaitsClass, boolean hesitates) implements PlacementDecision {

        static Wait of(final List<Veto> vetoes) {
            return new Wait(
                    vetoes,
                    vetoes.stream().anyMatch(VetoCode.NOT_CLASSIFIED::isOf),
                    vetoes.stream()
                            .anyMatch(veto ->
                                    VetoCode.PREFERS_OTHER_CLUSTER.isOf(veto) || VetoCode.HOME_JOBS_FIRST.isOf(veto)));
        }
    }

    /** On no cluster ever, unless the request changes. */
    record Reject(String reason) implements PlacementDecision {}
}
