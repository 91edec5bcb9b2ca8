package io.millrace.agent.service;

import io.millrace.agent.site.LocalProjects;
import io.millrace.model.cluster.Control;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Settings of the agent of one cluster. */
@ConfigMapping(prefix = "millrace.agent")
public interface AgentConfig {

    /** Maximum time between two revision markers. */
    Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(10);

    /** Maximum delay of accounting; after it, the end of a run is recorded as unknown. */
    Duration ACCOUNTING_TIMEOUT = Duration.ofMinutes(5);

    /** Maximum time for the victims of a reclaim to leave their cores. */
    Duration RECLAIM_TIMEOUT = Duration.ofMinutes(3);

    /** Time between two queries of accounting for jobs that started and ended between two polls. */
    Duration UNOBSERVED_INTERVAL = Duration.ofSeconds(30);

    /** Time limit of the copy of a directory tree. */
    Duration COPY_TIMEOUT = Duration.ofDays(7);

    /** An embedded cluster becomes native after this time without a plan of the deciders; on other clusters the watchdog has its own setting. */
    Duration DECIDER_TIMEOUT = Duration.ofMinutes(1);

    /** A cluster that became native is directed again after the deciders have been active for this time. */
    Duration DIRECTED_AFTER = Duration.ofSeconds(20);

    /** Name of the cluster: lower-case letters, digits, hyphens. It must never change. */
    @WithDefault("local")
    String cluster();

    /** Its workload manager: {@code slurm}, {@code pbspro}, {@code torque}, {@code lsf}, or {@code local}, which is embedded and runs processes of this machine. */
    @WithDefault("local")
    String adapter();

    /** Control: {@code directed}: Millrace starts jobs; {@code native}: the scheduler of the cluster starts jobs. */
    @WithDefault("directed")
    Control control();

    /** Folder of the agent, parent of the default folders below. Job owners need search permission (mode 711). */
    @WithDefault("/var/lib/millrace/agents/${millrace.agent.cluster}")
    Path home();

    /** Folder of jobs from other clusters, {@code <owner>/<attempt>}; it must be visible on all nodes. */
    @WithDefault("${millrace.agent.home}/staging")
    Path stagingRoot();

    /** Host name under which other clusters reach the files of this cluster by ssh; unset: all clusters share one host. */
    Optional<String> dataHost();

    /** Public keys of submit-service ({@code submission-keys.pub.json}, or PEM); unset: the agent does nothing for users. */
    Optional<Path> submissionKeys();

    /** Unix domain socket where users get tokens; the path has at most 100 bytes; unset: the agent issues no tokens. */
    Optional<Path> loginSocket();

    /** Folder for the public key, {@code <cluster>.pub.json}; submit-service trusts the keys in it. */
    Optional<Path> loginPublicKeyDir();

    /** Validity of a token, at most 12 hours. */
    @WithDefault("12h")
    Duration loginTokenLifetime();

    /** File written for each plan of the deciders, and while a command changes the queue, for the watchdog; unset: none. */
    Optional<Path> heartbeatFile();

    /** Time between two polls of the workload manager; after a command it is polled at once. */
    @WithDefault("5s")
    Duration pollInterval();

    /** YAML file that maps site users, projects and software to names of this cluster, see the operator guide; unset: site names are used. */
    Optional<Path> siteMapping();

    /**
     * Clusters whose logins may vouch for the owners of jobs on this cluster, beside its own; default: none. Jobs of other users who logged
     * in elsewhere are refused, so that a login key of another cluster starts nothing here.
     */
    Optional<Set<String>> acceptedIssuers();

    /** Smallest uid of user accounts; the agent does not act for accounts with a smaller uid. */
    @WithDefault("1000")
    int minUid();

    /**
     * Which local jobs charge the project that they name: {@code group}, those of members of the Unix group with its name on this host;
     * {@code all}, for a workload manager that checks the project of each job; or {@code none}.
     */
    @WithDefault("group")
    LocalProjects.Trust localProjects();

    /** Time a job needs to read its checkpoint; added to the remaining walltime of its next run. */
    @WithDefault("60s")
    Duration restartCost();

    /** Time limit of a make step. */
    @WithDefault("30m")
    Duration makeTimeout();

    /** Size of the cache for large files from other hosts, in MiB per owner; a file in it is not transferred again. 0: no cache. */
    @WithDefault("10240")
    int copyCache();

    Ssh ssh();

    /** For a workload manager on another host, behind the forced command of {@code deploy/agent/millrace-remote}. */
    interface Ssh {

        /** {@code account@host} of the workload manager; unset: it runs on the host of the agent. */
        Optional<String> destination();

        /** Configuration file of ssh with the key, the port and the known hosts; unset: the default files of ssh. */
        Optional<Path> configFile();
    }
}
