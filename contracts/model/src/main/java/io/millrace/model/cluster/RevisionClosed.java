package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The marker that closes a batch of observations, and the cluster's heartbeat. Everything up to it is one consistent snapshot.
 *
 * @param revision increases forever, across restarts of the agent
 * @param observedAt when the agent queried the workload manager, by the agent's clock
 * @param health whether the workload manager answered; a stale snapshot is kept, and no start is decided on it
 * @param total cores (and memory, GPUs, nodes) of the nodes that are up
 * @param free the part of {@code total} that is not allocated
 * @param capabilities the capabilities of this agent on this workload manager
 * @param commandsIncluded offset (exclusive) on this cluster's partition of {@code millrace.commands} up to which the snapshot includes the effects of
 *     commands
 * @param stagingRoot directory under which the agent keeps staged jobs, null if it takes no global jobs
 * @param dataHost host name for transfers from other clusters; null means that all clusters share one host
 * @param notes by capability: its restrictions here, or why it is not offered and how to enable it
 */
public record RevisionClosed(
        ClusterId cluster,
        long revision,
        Instant observedAt,
        WlmHealth health,
        Control control,
        String wlm,
        Resources total,
        Resources free,
        Set<Capability> capabilities,
        long commandsIncluded,
        @Nullable String stagingRoot,
        @Nullable String dataHost,
        Map<Capability, String> notes)
        implements ClusterStateEvent {

    public RevisionClosed {
        capabilities = Set.copyOf(capabilities);
        notes = Map.copyOf(notes);
    }

    public static String keyOf(final ClusterId cluster) {
        return cluster + "/marker";
    }

    @Override
    public String key() {
        return keyOf(cluster);
    }
}
