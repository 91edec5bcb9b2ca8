package io.millrace.agent.pbspro.query;

import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One PBS cluster and its local settings.
 *
 * @param programs folder of qstat, qsub…; null: found by PATH
 * @param environment additional variables of the commands: {@code PBS_CONF_FILE}, {@code PBS_SERVER}
 * @param zone time zone in which times are queried and read; qstat writes them in the zone of its environment
 * @param serverZone time zone of the server, used for the records and file names of the accounting log
 * @param accounting folder of the accounting log ({@code server_priv/accounting}); null if not on this host
 * @param events file of the hook {@code millrace_events}; null if the hook is not installed
 * @param agent account that runs the agent's commands; PBS records it with the holds that it sets
 * @param charge attribute that names the charged project
 */
public record PbsSite(
        ClusterId cluster,
        @Nullable Path programs,
        Map<String, String> environment,
        ZoneId zone,
        ZoneId serverZone,
        @Nullable Path accounting,
        @Nullable Path events,
        String agent,
        Charge charge) {

    /** The attribute that names the charged project. */
    public enum Charge {
        /** {@code qsub -P}: the attribute {@code project}. */
        PROJECT,
        /** {@code qsub -A}: the attribute {@code Account_Name}. */
        ACCOUNT
    }

    public PbsSite {
        environment = Map.copyOf(environment);
    }

    public String program(final String name) {
        return programs == null ? name : programs.resolve(name).toString();
    }

    /** Environment of queries: times are printed in {@link #zone}. */
    Map<String, String> queryEnvironment() {
        final Map<String, String> variables = new HashMap<>(environment);
        variables.put("TZ", zone.getId().equals("Z") ? "UTC" : zone.getId());
        return variables;
    }

    /** Environment of commands. */
    public Map<String, String> commandEnvironment() {
        return environment;
    }
}
