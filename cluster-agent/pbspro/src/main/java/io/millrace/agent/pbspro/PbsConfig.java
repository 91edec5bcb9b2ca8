package io.millrace.agent.pbspro;

import io.millrace.agent.pbspro.query.PbsSite;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;

/** Settings of the adapter {@code pbspro}: PBS Pro and OpenPBS 14 to 23. */
@ConfigMapping(prefix = "millrace.agent.pbs")
public interface PbsConfig {

    /** Configuration file of PBS. The locations of the commands and of the accounting log are read from it. */
    @WithDefault("/etc/pbs.conf")
    Path confFile();

    /** Host of the server. Default: the one in the configuration file. */
    Optional<String> server();

    /** Folder of qstat, qsub and the other commands. Default: {@code bin} in {@code PBS_EXEC} of the configuration file. */
    Optional<Path> binDir();

    /** Folder of the accounting log. Default: {@code server_priv/accounting} in {@code PBS_HOME} of the configuration file. */
    Optional<Path> accountingDir();

    /** File that the hook {@code deploy/pbs/millrace_events.py} writes, if installed. Default: only the accounting log is followed. */
    Optional<Path> eventsFile();

    /** Time zone in which qstat prints times. Set it to the server's time zone only if qstat ignores its environment. */
    @WithDefault("UTC")
    ZoneId queryZone();

    /** Time zone of the server and its accounting log, e.g. {@code Europe/Berlin}. Default: the time zone of this host. */
    Optional<String> serverZone(); // not a ZoneId, because an unset value would be read as an empty zone name

    /** Attribute that names the charged project: {@code project} for {@code qsub -P}, {@code account} for {@code qsub -A}. */
    @WithDefault("project")
    PbsSite.Charge chargeBy();
}
