package io.millrace.agent.service;

import io.millrace.model.cluster.Control;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Settings of the agent of one cluster. */
@ConfigMapping(prefix = "millrace.agent")
public interface AgentConfig {

    /** Name of the cluster, the same for ever: small letters, digits, dashes. */
    @WithDefault("local")
    String cluster();

    /** Its workload manager: {@code slurm}, {@code pbspro}, {@code torque}, {@code lsf}, or {@code local}, which is embedded and runs processes of this machine. */
    @WithDefault("local")
    String adapter();

    /** Who starts jobs: {@code directed}: Millrace; {@code native}: the cluster's own scheduler. */
    @WithDefault("directed")
    Control control();

    /** The agent's own folder; everything it keeps has its default place here. Owners must be able to pass it (mode 711). */
    @WithDefault("/var/lib/millrace/agents/${millrace.agent.cluster}")
    Path home();

    /** Below it, {@code <owner>/<attempt>}, lie jobs that come from elsewhere; all nodes must see it. */
    @WithDefault("${millrace.agent.home}/staging")
    Path stagingRoot();

    /** Folder of make steps that run or were interrupted. */
    @WithDefault("${millrace.agent.home}/work")
    Path workDir();

    /** Name under which other clusters reach this one's files by ssh; unset: the same host as everybody. */
    Optional<String> dataHost();

    /** JWK set of submit-service ({@code submission-keys.pub.json}); unset: nothing is submitted or made here. */
    Optional<Path> submissionKeys();

    /** Unix domain socket where users get their tokens, at most 100 bytes long; unset: no tokens from here. */
    Optional<Path> loginSocket();

    /** Key pair that signs tokens; made if missing. */
    @WithDefault("${millrace.agent.home}/login-key.json")
    Path loginKey();

    /** Folder where the public part is written as {@code <cluster>.pub.json}; submit-service trusts what lies in it. */
    Optional<Path> loginPublicKeyDir();

    /** How long a token is good, at most 12 hours. */
    @WithDefault("12h")
    Duration loginTokenLife();

    /** Touched at each sign of life of the deciders, for the watchdog beside the agent; unset: none. */
    Optional<Path> heartbeatFile();

    /** Time between two looks at the workload manager; after a command it looks at once. */
    @WithDefault("5s")
    Duration pollInterval();

    /** A marker is written at least this often, changed or not. */
    @WithDefault("10s")
    Duration heartbeatInterval();

    /** How long accounting may take to tell how a run ended; then the end is unknown. */
    @WithDefault("5m")
    Duration settleDeadline();

    /** How long the victims of a reclaim may take to leave their cores. */
    @WithDefault("3m")
    Duration reclaimLimit();

    /** Names of users, projects and software on this cluster, see the operator guide; unset: the site's own. */
    Optional<Path> surroundings();

    /** Accounts with a smaller number are the system's own: nothing is done with their rights. */
    @WithDefault("1000")
    int leastUid();

    /** What a job needs to read its saved state back; its next run may take so much longer than what remained. */
    @WithDefault("60s")
    Duration restartCost();

    /** Time between two questions to accounting for jobs that came and went unseen. */
    @WithDefault("30s")
    Duration unseenEvery();

    /** Limit of a make step. */
    @WithDefault("30m")
    Duration makeLimit();

    /** Limit of a copy of a directory tree. */
    @WithDefault("7d")
    Duration copyLimit();

    /** Limit of one copy in KiB/s; 0: none. */
    @WithDefault("0")
    int copyBandwidth();

    /** Without a sign of life of the deciders for so long an embedded cluster goes native; the watchdog does that for others. */
    @WithDefault("60s")
    Duration silence();

    /** The deciders must have been heard for so long before a cluster that went native is directed again. */
    @WithDefault("20s")
    Duration back();

    Ssh ssh();

    /** For a workload manager on another host, behind the forced command of {@code deploy/agent/millrace-remote}. */
    interface Ssh {

        /** {@code account@host} of the workload manager; unset: the agent stands beside it. */
        Optional<String> destination();

        @WithDefault("22")
        int port();

        /** The agent's private key, which leads to the forced command; unset: what ssh finds by itself. */
        Optional<Path> key();

        /** File that knows the host's key, without which there is no connection; unset: ssh's own. */
        Optional<Path> knownHosts();

        /** ssh's settings instead of the usual files, {@code /dev/null} for none; unset: the usual files. */
        Optional<Path> configFile();
    }
}
