package io.millrace.model.cluster;

import io.millrace.model.ClusterId;
import io.millrace.model.Resources;
import io.millrace.model.transfer.CopyProgress;
import java.time.Instant;
import java.util.List;
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
 * @param copies the copies that this agent is receiving; null: none
 * @param startRule how a start on command uses nodes; null: any free part of them
 * @param memoryPerSlot whether scripts for this cluster request memory for each slot (LSF with RESOURCE_RESERVE_PER_TASK); null: no
 * @param controlProblem why the agent cannot switch to the configured control; null: it can, or need not
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
        Map<Capability, String> notes,
        @Nullable List<CopyProgress> copies,
        @Nullable StartRule startRule,
        @Nullable Boolean memoryPerSlot,
        @Nullable String controlProblem)
        implements ClusterStateEvent {

    public RevisionClosed {
        capabilities = Set.copyOf(capabilities);
        notes = Map.copyOf(notes);
        copies = copies == null || copies.isEmpty() ? null : List.copyOf(copies);
    }

    /** Without copies, of a cluster where a start can use any part of a node. */
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
            final @Nullable String dataHost,
            final Map<Capability, String> notes) {
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
                notes,
                null,
                null,
                null,
                null);
    }

    /** How a start uses nodes now. The local scheduler of a cluster under native control starts jobs on any parts of nodes. */
    public StartRule starts() {
        return startRule == null || control == Control.NATIVE ? StartRule.PARTS_OF_NODES : startRule;
    }

    public List<CopyProgress> allCopies() {
        return copies == null ? List.of() : copies;
    }

    public static String keyOf(final ClusterId cluster) {
        return new ClusterStateKey.Marker(cluster).toString();
    }

    @Override
    public String key() {
        return keyOf(cluster);
    }
}
