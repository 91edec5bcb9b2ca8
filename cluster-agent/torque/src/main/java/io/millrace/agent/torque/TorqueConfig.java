package io.millrace.agent.torque;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** Settings of the adapter {@code torque}: Torque and OpenPBS 2.3. */
@ConfigMapping(prefix = "millrace.agent.torque")
public interface TorqueConfig {

    /** Folder of {@code qstat} and the other commands. Default: the search path. */
    Optional<Path> binDir();

    /** Name of the server. Default: the installation's default server. */
    Optional<String> server();

    /** Folder of the accounting log, one file per day, or of a copy that the agent can read. */
    @WithDefault("/var/spool/torque/server_priv/accounting")
    Path accounting();

    /** Time zone of the server, e.g. {@code Europe/Berlin}. Default: the time zone of this host. */
    Optional<String> zone();

    /** Folder in which the agent records which attempt became which job. */
    @WithDefault("${millrace.agent.home}/torque")
    Path stateDir();

    /** Whether the nodes can checkpoint and restart jobs (BLCR, or a {@code $checkpoint_script} of pbs_mom). The server does not report it. */
    @WithDefault("false")
    boolean checkpoints();
}
