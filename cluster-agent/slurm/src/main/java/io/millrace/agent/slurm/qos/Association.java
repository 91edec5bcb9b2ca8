package io.millrace.agent.slurm.qos;

import java.util.Set;

/**
 * A user's association with an account on a cluster.
 *
 * @param qos the QoS that the user's jobs may use
 * @param defaultQos the QoS of jobs that request none; empty means the cluster's default
 */
public record Association(String account, Set<String> qos, String defaultQos) {

    public Association {
        qos = Set.copyOf(qos);
    }
}
