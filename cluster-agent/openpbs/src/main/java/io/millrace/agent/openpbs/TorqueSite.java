package io.millrace.agent.openpbs;

import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One OpenPBS or Torque cluster and its files.
 *
 * @param bin folder of {@code qstat} and the others; null: where the search path finds them
 * @param server name of its server; null: the installation's default
 * @param accounting folder of the accounting log, one file a day ({@code server_priv/accounting})
 * @param zone time zone of the server, in which the records of that log are headed
 * @param tags file in which the adapter keeps which attempt became which job
 * @param checkpoints whether the nodes can save and restart jobs (BLCR, or {@code $checkpoint_script} of pbs_mom)
 */
public record TorqueSite(
        ClusterId cluster,
        @Nullable Path bin,
        @Nullable String server,
        Path accounting,
        ZoneId zone,
        Path tags,
        boolean checkpoints) {

    String program(final String name) {
        return bin == null ? name : bin.resolve(name).toString();
    }

    /** For questions: plain text then comes with its times in UTC. */
    Map<String, String> queryEnvironment() {
        final Map<String, String> variables = new TreeMap<>(commandEnvironment());
        variables.put("TZ", "UTC");
        return variables;
    }

    /** For orders: nothing that a job would inherit but where its server is. */
    Map<String, String> commandEnvironment() {
        return server == null ? Map.of() : Map.of("PBS_DEFAULT", server);
    }
}
