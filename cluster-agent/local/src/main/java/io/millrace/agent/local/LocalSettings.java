package io.millrace.agent.local;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What an embedded cluster is made of.
 *
 * @param stateDir one folder per job; when jobs run as their owners, every parent of it must let them through (x for others)
 * @param control who starts jobs, when the folder does not say otherwise yet
 * @param asOwner whether a job runs with its owner's rights (the agent must be root) or with the agent's own
 * @param killAfter how long a job may take to end after SIGTERM
 * @param keepEnded how long ended jobs are remembered
 */
public record LocalSettings(
        ClusterId cluster,
        Path stateDir,
        int nodes,
        int coresPerNode,
        Control control,
        boolean asOwner,
        Duration killAfter,
        Duration keepEnded) {

    public LocalSettings {
        if (nodes < 1 || coresPerNode < 1) {
            throw new IllegalArgumentException(
                    "a local cluster needs at least 1 node of 1 core, got " + nodes + " x " + coresPerNode);
        }
        stateDir = stateDir.toAbsolutePath().normalize();
        if (stateDir.toString().indexOf('=') >= 0) {
            throw new IllegalArgumentException("local.state-dir must not contain '=': " + stateDir);
        }
    }

    public LocalSettings(
            final ClusterId cluster,
            final Path stateDir,
            final int nodes,
            final int coresPerNode,
            final Control control,
            final boolean asOwner) {
        this(cluster, stateDir, nodes, coresPerNode, control, asOwner, Duration.ofSeconds(5), Duration.ofDays(30));
    }

    int cores() {
        return nodes * coresPerNode;
    }
}
