package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;

/** Shows the cluster. Every adapter has this role. */
public interface Observing {

    /** Display name: product and version, e.g. {@code slurm 22.05.8}. */
    String version();

    /** A full observation, by one batched query of each kind, whatever the number of jobs. */
    Answer<Observation> observe();

    /**
     * Whether a request of memory that does not say for what is for each slot of the job, and not for each host. Queried again whenever
     * the workload manager was unavailable.
     */
    default boolean reservesMemoryPerSlot() {
        return false;
    }
}
