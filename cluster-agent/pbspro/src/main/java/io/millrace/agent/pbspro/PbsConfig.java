package io.millrace.agent.pbspro;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;

/** For {@code adapter=pbspro}: PBS Pro and OpenPBS 14 to 23. */
@ConfigMapping(prefix = "millrace.agent.pbs")
public interface PbsConfig {

    /** PBS's own settings; where its programs and the server's home lie is read from it. */
    @WithDefault("/etc/pbs.conf")
    Path confFile();

    /** Host of the server; unset: the one in the settings. */
    Optional<String> server();

    /** Folder of qstat, qsub…; unset: {@code bin} in {@code PBS_EXEC} of the settings. */
    Optional<Path> binDir();

    /** Folder of the accounting log; unset: {@code server_priv/accounting} in {@code PBS_HOME} of the settings. */
    Optional<Path> accountingDir();

    /** What the hook {@code deploy/pbs/millrace_events.py} writes, if it is installed; unset: the accounting log alone tells. */
    Optional<Path> eventsFile();

    /** Zone in which qstat is asked to write times; only for one that does not heed its environment the server's own. */
    @WithDefault("UTC")
    ZoneId queryZone();

    /** The server's zone, which the accounting log is written in, e.g. {@code Europe/Berlin}; unset: that of this host. */
    Optional<String> serverZone(); // no ZoneId: what is unset would be read as one of no name

    /** Who is charged: {@code project} is {@code qsub -P}, {@code account} is {@code qsub -A}. */
    @WithDefault("project")
    PbsSite.Charge chargeBy();
}
