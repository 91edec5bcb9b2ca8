package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import java.util.Optional;

/** A cluster that was considered for a job: accepted, or vetoed. */
record Candidate(TargetCluster cluster, Optional<Veto> veto) {

    ClusterId id() {
        return cluster.id();
    }

    boolean isAccepted() {
        return veto.isEmpty();
    }

    /** Whether the class of the job, which is not known yet, decides. */
    boolean awaitsClass() {
        return veto.filter(VetoCode.NOT_CLASSIFIED::isOf).isPresent();
    }

    boolean lacksOnlyIdleResources() {
        return veto.filter(v -> VetoCode.NO_IDLE_CORES.isOf(v)
                        || VetoCode.NO_SUITABLE_NODES.isOf(v)
                        || VetoCode.HOME_JOBS_FIRST.isOf(v)
                        || VetoCode.LICENCES_IN_USE.isOf(v))
                .isPresent();
    }

    /** Whether it can run the job now or later. */
    boolean isPossible() {
        return isAccepted() || lacksOnlyIdleResources();
    }
}
