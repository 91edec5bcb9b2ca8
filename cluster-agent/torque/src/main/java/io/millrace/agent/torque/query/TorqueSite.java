package io.millrace.agent.torque.query;

import io.millrace.agent.torque.accounting.AttemptRegistry;
import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One Torque or OpenPBS 2.3 cluster and its files.
 *
 * @param bin folder of {@code qstat} and the other commands; null: search path
 * @param server name of the server; null: the installation's default
 * @param accounting folder of the accounting log, one file per day ({@code server_priv/accounting})
 * @param zone time zone of the server, used in that log
 * @param tags file of the {@link AttemptRegistry}
 * @param checkpoints whether the nodes can checkpoint and restart jobs (BLCR, or {@code $checkpoint_script} of pbs_mom)
 */
public record TorqueSite(
        ClusterId cluster,
        @Nullable Path bin,
        @Nullable String server,
        Path accounting,
        ZoneId zone,
        Path tags,
        boolean checkpoints) {

    public String program(final String name) {
        return bin == null ? name : bin.resolve(name).toString();
    }

    /** Environment of queries: times in plain text are then in UTC. */
    Map<String, String> queryEnvironment() {
        final Map<String, String> variables = new TreeMap<>(commandEnvironment());
        variables.put("TZ", "UTC");
        return variables;
    }

    /** Environment of commands: only the server, because jobs may inherit variables. */
    public Map<String, String> commandEnvironment() {
        return server == null ? Map.of() : Map.of("PBS_DEFAULT", server);
    }
}
