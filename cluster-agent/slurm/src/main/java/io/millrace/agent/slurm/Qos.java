package io.millrace.agent.slurm;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A QoS as slurmdbd keeps it.
 *
 * @param cores most cores that its running jobs may have together ({@code GrpTRES=cpu=}); null: no limit
 * @param preempts the QoS whose jobs it may take off their cores
 * @param preemptMode {@code requeue}, {@code cancel}, {@code suspend}… or {@code cluster} for the cluster's own
 */
record Qos(String name, @Nullable Integer cores, Set<String> preempts, String preemptMode, long priority) {

    Qos {
        preempts = Set.copyOf(preempts);
    }

    boolean requeues() {
        return preemptMode.equalsIgnoreCase("requeue");
    }
}
