package io.millrace.agent.lsf;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** For {@code adapter=lsf}. */
@ConfigMapping(prefix = "millrace.agent.lsf")
public interface LsfConfig {

    /** Folder of LSF's commands (LSF_BINDIR); unset: they are on the usual path. */
    Optional<Path> binDir();

    /** Folder of {@code lsf.conf} (LSF_ENVDIR); unset: where the installation looks by itself. */
    Optional<Path> envDir();

    /** What the agent must remember about jobs and queues; the watchdog reads it, nobody else writes it. */
    @WithDefault("${millrace.agent.home}/lsf")
    Path stateDir();

    /** Queues that are inactive while the cluster is directed, so that Millrace decides their starts; unset: all. */
    Optional<Set<String>> queues();

    /** Queue of work within its owner's quota, which preempts the other; unset: no tiers. */
    Optional<String> guaranteedQueue();

    /** Queue of work beyond it. */
    Optional<String> borrowedQueue();

    /** Folder of {@code lsb.events} and {@code lsb.acct}, if the agent can read it; unset: only commands are asked. */
    Optional<Path> logDir();

    /** Folder that all hosts see and all users may write, where the site's echkpnt saves jobs; unset: nothing is saved natively. */
    Optional<Path> checkpointDir();

    /** Name of the site's programs: {@code echkpnt.<name>}, {@code erestart.<name>}; {@code default}: those without a name. */
    @WithDefault("default")
    String checkpointMethod();
}
