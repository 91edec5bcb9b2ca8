package io.millrace.agent.local;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.Control;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of an embedded cluster.
 *
 * @param stateDir the state directory; if jobs run as their owners, all parent directories need execute permission for others
 * @param control the initial control, until it is stored in the state directory
 * @param asOwner whether jobs run as their owners (the agent must be root) or as the agent's user
 * @param killAfter the time between SIGTERM and SIGKILL
 * @param keepEnded how long ended jobs are kept
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
                    "a local cluster needs at least 1 node with 1 core, got " + nodes + " nodes with " + coresPerNode);
        }
        stateDir = stateDir.toAbsolutePath().normalize();
        if (stateDir.toString().indexOf('=') >= 0) {
            throw new IllegalArgumentException("local.state-dir must not contain '=': " + stateDir);
        }
    }

    int cores() {
        return nodes * coresPerNode;
    }
}
