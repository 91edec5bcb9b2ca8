package io.millrace.agent.slurm;

import java.util.Set;

/**
 * What a user may do on a cluster, for one account (and partition) of theirs.
 *
 * @param qos the QoS that the user's jobs may have
 * @param defaultQos the one they get if they name none; empty: the cluster's
 */
record Association(String account, Set<String> qos, String defaultQos) {

    Association {
        qos = Set.copyOf(qos);
    }
}
