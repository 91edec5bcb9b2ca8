package io.millrace.agent.lsf.command;

import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An LSF cluster and the files of the agent for it.
 *
 * @param binDir directory of the LSF commands; null if they are on the search path
 * @param envDir directory of {@code lsf.conf} (LSF_ENVDIR); null for the default of the installation
 * @param stateDir directory of the agent: control, gate, notes
 * @param managedQueues queues in which Millrace starts jobs under directed control; empty for all
 * @param guaranteedQueue queue of guaranteed jobs; null for no tiers
 * @param borrowedQueue queue of borrowed jobs, which the guaranteed queue preempts
 * @param logDir directory of {@code lsb.events} and {@code lsb.acct}, if the agent can read it
 * @param checkpointDir directory in which the echkpnt program saves jobs, one subdirectory for each; null if jobs cannot be saved
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
            throw new IllegalArgumentException("checkpoint directory '" + checkpointDir
                    + "' contains a blank, which bsub -k does not allow; change millrace.agent.lsf.checkpoint-dir");
        }
    }

    /** A site without tiers, log files or native checkpoints. */
    public static LsfSite of(final ClusterId cluster, final Path state) {
        return new LsfSite(cluster, null, null, state, Set.of(), null, null, null, null, "default");
    }

    public String program(final String name) {
        return binDir == null ? name : binDir.resolve(name).toString();
    }

    /**
     * The environment of queries and of commands that change a job. They print local times, so the time zone is UTC. By default they wait
     * forever for a LIM or mbatchd that does not respond; LSB_NTRIES makes them fail after one try, which takes about six seconds.
     */
    public Map<String, String> queryEnvironment() {
        final Map<String, String> variables = new HashMap<>(commandEnvironment());
        variables.put("TZ", "UTC");
        variables.put("LSB_NTRIES", "1");
        return variables;
    }

    /** The environment of submissions. A job inherits it, so it holds only the location of the cluster configuration. */
    public Map<String, String> commandEnvironment() {
        return envDir == null ? Map.of() : Map.of("LSF_ENVDIR", envDir.toString());
    }
}
