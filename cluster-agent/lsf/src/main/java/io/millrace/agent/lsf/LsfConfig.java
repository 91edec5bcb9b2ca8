package io.millrace.agent.lsf;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** For {@code adapter=lsf}. */
@ConfigMapping(prefix = "millrace.agent.lsf")
public interface LsfConfig {

    /** Directory of the LSF commands (LSF_BINDIR). Default: the search path. */
    Optional<Path> binDir();

    /** Directory of {@code lsf.conf} (LSF_ENVDIR). Default: the default of the installation. */
    Optional<Path> envDir();

    /** Directory for the state of the agent about jobs and queues. Only the agent writes to it; the watchdog reads it. */
    @WithDefault("${millrace.agent.home}/lsf")
    Path stateDir();

    /** Queues in which Millrace starts jobs; they are inactive under directed control. Default: all queues. */
    Optional<Set<String>> queues();

    /** Queue of guaranteed jobs, which preempts the queue of borrowed jobs. Default: no preemption tiers. */
    Optional<String> guaranteedQueue();

    /** Queue of borrowed jobs. */
    Optional<String> borrowedQueue();

    /** Directory of {@code lsb.events} and {@code lsb.acct}, if the agent can read it. Default: the agent uses only commands. */
    Optional<Path> logDir();

    /**
     * Directory for checkpoints of the echkpnt program of the site; all hosts must be able to access it and all users to write to it.
     * Default: no native checkpoints.
     */
    Optional<Path> checkpointDir();

    /** Name of the checkpoint programs {@code echkpnt.<name>} and {@code erestart.<name>}; {@code default} for those without a name. */
    @WithDefault("default")
    String checkpointMethod();
}
