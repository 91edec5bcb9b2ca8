package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The marker that closes a batch of observations, and the cluster's heartbeat. Everything up to it is one consistent picture.
 *
 * @param revision counts on for ever, across restarts of the agent
 * @param observedAt the agent's clock when it asked the workload manager
 * @param health whether the workload manager answered; a stale picture is kept, and no start is decided on it
 * @param total cores (and memory, GPUs, nodes) of the nodes that are up
 * @param free of these, what is not allocated
 * @param capabilities what this agent can do on this workload manager
 * @param commandsIncluded offset (exclusive) on this cluster's partition of {@code millrace.commands} whose effects this picture includes
 * @param stagingRoot directory under which the agent keeps staged jobs, null if it takes no global jobs
 * @param dataHost host name for transfers from other clusters; null means "the same host as everybody"
 * @param notes by capability, a sentence on how far it goes here, or why it is not offered and what would change that
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

    /** A marker that has nothing to remark on its capabilities. */
    public RevisionClosed(
            final ClusterId cluster,
            final long revision,
            final Instant observedAt,
            final WlmHealth health,
            final Control control,
            final String wlm,
            final Resources total,
            final Resources free,
            final Set<Capability> capabilities,
            final long commandsIncluded,
            final @Nullable String stagingRoot,
            final @Nullable String dataHost) {
        this(
                cluster,
                revision,
                observedAt,
                health,
                control,
                wlm,
                total,
                free,
                capabilities,
                commandsIncluded,
                stagingRoot,
                dataHost,
                Map.of());
    }

    public static String keyOf(final ClusterId cluster) {
        return cluster + "/marker";
    }

    @Override
    public String key() {
        return keyOf(cluster);
    }
}
