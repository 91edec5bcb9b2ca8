package io.millrace.agent.lsf;

import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One LSF cluster and the agent's files about it.
 *
 * @param binDir folder of LSF's commands; null: they are on the usual path
 * @param envDir folder of {@code lsf.conf} (LSF_ENVDIR); null: where the installation looks by itself
 * @param stateDir folder of the agent's own: control, gate, notes
 * @param managedQueues queues whose starts Millrace decides under directed control; empty: all
 * @param guaranteedQueue queue of work within its owner's quota; null: no tiers
 * @param borrowedQueue queue of work beyond it, which the other preempts
 * @param logDir folder of {@code lsb.events} and {@code lsb.acct}, where the agent can read it
 * @param checkpointDir folder where this site's echkpnt saves jobs, each in one of its own; null: they cannot be saved
 * @param checkpointMethod name of the echkpnt and erestart programs ({@code echkpnt.<name>}); {@code default} for those without a name
 */
public record LsfSite(
        ClusterId cluster,
        @Nullable Path binDir,
        @Nullable Path envDir,
        Path stateDir,
        Set<String> managedQueues,
        @Nullable String guaranteedQueue,
        @Nullable String borrowedQueue,
        @Nullable Path logDir,
        @Nullable Path checkpointDir,
        String checkpointMethod) {

    public LsfSite {
        managedQueues = Set.copyOf(managedQueues);
        if (checkpointDir != null && checkpointDir.toString().matches(".*\\s.*")) {
            throw new IllegalArgumentException("bsub -k cannot name the folder '" + checkpointDir
                    + "': it has a blank in it; set millrace.agent.lsf.checkpoint-dir to another one");
        }
    }

    /** A site without tiers, log files or native checkpoints. */
    public static LsfSite of(final ClusterId cluster, final Path state) {
        return new LsfSite(cluster, null, null, state, Set.of(), null, null, null, null, "default");
    }

    String program(final String name) {
        return binDir == null ? name : binDir.resolve(name).toString();
    }

    /** For questions: every command prints times of its own zone, and this is it. */
    Map<String, String> queryEnvironment() {
        final Map<String, String> variables = new HashMap<>(commandEnvironment());
        variables.put("TZ", "UTC");
        return variables;
    }

    /** For orders: nothing that a job would inherit but where its cluster is. */
    Map<String, String> commandEnvironment() {
        return envDir == null ? Map.of() : Map.of("LSF_ENVDIR", envDir.toString());
    }
}
