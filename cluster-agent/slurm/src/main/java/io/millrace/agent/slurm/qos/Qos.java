package io.millrace.agent.slurm.qos;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A QoS in slurmdbd.
 *
 * @param cores the limit on the total cores of its running jobs ({@code GrpTRES=cpu=}); null means unlimited
 * @param preempts the QoS whose jobs it may preempt
 * @param preemptMode {@code requeue}, {@code cancel}, {@code suspend}… or {@code cluster} for the cluster's PreemptMode
 */
public record Qos(String name, @Nullable Integer cores, Set<String> preempts, String preemptMode, long priority) {

    public Qos {
        preempts = Set.copyOf(preempts);
    }

    boolean requeues() {
        return preemptMode.equalsIgnoreCase("requeue");
    }
}
