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
 * @param bin folder of LSF's commands; null: they are on the usual path
 * @param env folder of {@code lsf.conf} (LSF_ENVDIR); null: where the installation looks by itself
 * @param state folder of the agent's own: control, gate, notes
 * @param gate queues whose starts Millrace decides under directed control; empty: all
 * @param guaranteed queue of work within its owner's quota; null: no tiers
 * @param borrowed queue of work beyond it, which the other preempts
 * @param logs folder of {@code lsb.events} and {@code lsb.acct}, where the agent can read it
 * @param checkpoints folder where this site's echkpnt saves jobs, each in one of its own; null: they cannot be saved
 * @param checkpointMethod name of the echkpnt and erestart programs ({@code echkpnt.<name>}); {@code default} for those without a name
 */
public record LsfSite(
        ClusterId cluster,
        @Nullable Path bin,
        @Nullable Path env,
        Path state,
        Set<String> gate,
        @Nullable String guaranteed,
        @Nullable String borrowed,
        @Nullable Path logs,
        @Nullable Path checkpoints,
        String checkpointMethod) {

    public LsfSite {
        gate = Set.copyOf(gate);
        if (checkpoints != null && checkpoints.toString().matches(".*\\s.*")) {
            throw new IllegalArgumentException("bsub -k cannot name the folder '" + checkpoints
                    + "': it has a blank in it; set millrace.agent.lsf.checkpoint-dir to another one");
        }
    }

    /** A site without tiers, log files or native checkpoints. */
    public static LsfSite of(final ClusterId cluster, final Path state) {
        return new LsfSite(cluster, null, null, state, Set.of(), null, null, null, null, "default");
    }

    String program(final String name) {
        return bin == null ? name : bin.resolve(name).toString();
    }

    /** For questions: every command prints times of its own zone, and this is it. */
    Map<String, String> asking() {
        final Map<String, String> variables = new HashMap<>(acting());
        variables.put("TZ", "UTC");
        return variables;
    }

    /** For orders: nothing that a job would inherit but where its cluster is. */
    Map<String, String> acting() {
        return env == null ? Map.of() : Map.of("LSF_ENVDIR", env.toString());
    }
}
