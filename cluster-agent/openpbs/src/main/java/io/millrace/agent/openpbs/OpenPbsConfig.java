package io.millrace.agent.openpbs;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;

/** For {@code adapter=openpbs}. */
@ConfigMapping(prefix = "millrace.agent.openpbs")
public interface OpenPbsConfig {

    /** Folder of {@code qstat} and the others; unset: they are on the usual path. */
    Optional<Path> binDir();

    /** Name of the server; unset: the installation's own default. */
    Optional<String> server();

    /** Folder of the accounting log, one file a day, or of a copy that the agent can read. */
    @WithDefault("/var/spool/torque/server_priv/accounting")
    Path accounting();

    /** Time zone of the server, e.g. {@code Europe/Berlin}; unset: that of this host. */
    Optional<String> zone();

    /** What the agent must remember about jobs. */
    @WithDefault("${millrace.agent.home}/openpbs")
    Path stateDir();

    /** Whether the nodes save and restart jobs (BLCR, or a {@code $checkpoint_script} of pbs_mom): the server cannot be asked. */
    @WithDefault("false")
    boolean checkpoints();
}
