package io.millrace.agent.pbspro;

import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One PBS cluster and where its things are.
 *
 * @param programs folder of qstat, qsub…; null: found by PATH
 * @param environment what its programs need beside the usual: {@code PBS_CONF_FILE}, {@code PBS_SERVER}
 * @param zone in which times are asked for and read; qstat writes them in the zone of its own environment
 * @param serverZone the server's own: of the accounting log, and of the names of its files
 * @param accounting folder of the accounting log ({@code server_priv/accounting}); null: not on this host
 * @param events file to which the hook {@code millrace_events} adds lines; null: it is not installed
 * @param agent account the agent's commands run as; PBS notes it on the holds it sets
 * @param charge which attribute of a job names who is charged
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

    /** Sites charge by one or the other. */
    public enum Charge {
        /** {@code qsub -P}: the attribute {@code project}. */
        PROJECT,
        /** {@code qsub -A}: the attribute {@code Account_Name}. */
        ACCOUNT
    }

    public PbsSite {
        environment = Map.copyOf(environment);
    }

    /** A site without the hook {@code millrace_events}. */
    public PbsSite(
            final ClusterId cluster,
            final @Nullable Path programs,
            final Map<String, String> environment,
            final ZoneId zone,
            final ZoneId serverZone,
            final @Nullable Path accounting,
            final String agent,
            final Charge charge) {
        this(cluster, programs, environment, zone, serverZone, accounting, null, agent, charge);
    }

    String program(final String name) {
        return programs == null ? name : programs.resolve(name).toString();
    }

    /** For questions: the times in the answer are in our zone. */
    Map<String, String> queryEnvironment() {
        final Map<String, String> variables = new HashMap<>(environment);
        variables.put("TZ", zone.getId().equals("Z") ? "UTC" : zone.getId());
        return variables;
    }

    /** For orders. */
    Map<String, String> commandEnvironment() {
        return environment;
    }
}
