package io.millrace.submit.config;

import io.millrace.submit.domain.identity.ProjectMembers;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Settings of submit-service. */
@ConfigMapping(prefix = "millrace.submit")
public interface SubmitSettings {

    /** How long the groups of a user are used before they are looked up again. */
    Duration MEMBERSHIP_AGE = Duration.ofMinutes(1);

    /** Audience of all tokens; agents issue them with it. */
    String AUDIENCE = "millrace";

    /** Maximum lifetime of tokens; longer-lived tokens are refused. */
    Duration MAX_TOKEN_LIFETIME = Duration.ofHours(12);

    /**
     * How long after the submission a signature authorizes copies of the job's files: the time to wait, to run, to fetch the results, and to
     * remove the files on another cluster.
     */
    Duration COPY_SIGNATURE_LIFETIME = Duration.ofDays(400);

    /** Tolerated difference between the clocks of login nodes and of this service. */
    Duration CLOCK_SKEW = Duration.ofSeconds(30);

    /** How long a dry run waits for the answers of clusters. */
    Duration DRY_RUN_TIMEOUT = Duration.ofSeconds(10);

    /** How long a request for a file of a job waits for the agent. */
    Duration FILE_TIMEOUT = Duration.ofSeconds(10);

    /** A cluster whose revision marker is older than this is shown as unavailable. */
    Duration UNAVAILABLE_AFTER = Duration.ofSeconds(45);

    /** Retention of commands and their outcomes in the read model. */
    Duration COMMAND_RETENTION = Duration.ofDays(30);

    /** Retention of the job change feed, within which clients can resume. */
    Duration CHANGE_RETENTION = Duration.ofDays(2);

    /** Polling interval of the job change feed while clients follow it. */
    Duration FEED_INTERVAL = Duration.ofMillis(250);

    /** Maximum page size of lists. */
    int MAX_PAGE = 500;

    /**
     * Folder of the key pair that signs submissions: {@code submission-key.json} (mode 0600), {@code submission-keys.pub.json}, which
     * agents read, and the same as PEM. Missing files are created; all instances need the same files.
     */
    @WithDefault("keys")
    Path keyDir();

    /** Folder of the public keys ({@code *.pub.json}, JWK) of the agents whose login tokens are accepted. */
    @WithDefault("keys/trusted")
    Path trustedKeysDir();

    /**
     * Folder through which clusters join by invitation: open invitations, and requests to the process that makes their accounts at the broker
     * ({@code millrace-setup} sets it). Unset: clusters cannot join by themselves.
     */
    Optional<Path> joinDir();

    /** Interval between reads of the folder of public keys and of the issuers file: how long a withdrawn key is accepted at most. */
    @WithDefault("2s")
    Duration trustedKeysInterval();

    /**
     * YAML file of the issuers whose tokens are accepted: for which users each may vouch, whether for operators, and where the directories of
     * their jobs may be; see the operator guide. Default: each agent with a trusted key may vouch for all users of its own cluster except
     * system accounts, and for no operator.
     */
    Optional<Path> issuersFile();

    /**
     * YAML file of projects with their members, who may submit jobs for them and read their quotas; see the operator guide. Default: none, and
     * {@code unlisted-projects} decides about all projects.
     */
    Optional<Path> projectsFile();

    /**
     * The members of a project that the file does not list: {@code group}, the members of the Unix group with its name on this host;
     * {@code none}; or {@code all}, for a site whose workload managers check the project of each job.
     */
    @WithDefault("group")
    ProjectMembers.Unlisted unlistedProjects();

    /** YAML file of the tools that may submit jobs through Kafka; see the integrator guide. Default: none. */
    Optional<Path> toolsFile();

    /** Users with the operator role: they may see and stop every job and change quotas. An issuer must be allowed to vouch for operators. */
    Optional<List<String>> operators();

    /** Validity of a submission's signature; an agent refuses a job that waited longer. */
    @WithDefault("30d")
    Duration signatureLifetime();

    /** How long a request waits until the read model contains the record that it wrote or names. */
    @WithDefault("5s")
    Duration projectionTimeout();

    /** How long the change of a placed job waits for the agent. */
    @WithDefault("20s")
    Duration alterTimeout();

    /** Retention of ended global jobs and runs in the read model. */
    @WithDefault("400d")
    Duration jobRetention();

    /** Time zone of the site, such as Europe/Berlin, for the days of {@code mgusage}. */
    @WithDefault("UTC")
    ZoneId zone();

    /** TLS of the REST API. */
    Tls tls();

    /** TLS of the REST API. Files that change are read again within a minute, so certificates are renewed without a restart. */
    interface Tls {

        /** PEM file of the certificate, followed by those of its issuers. With it, the service answers only HTTPS. Default: none. */
        Optional<Path> certificate();

        /** PEM file of the certificate's key (mode 0600). */
        Optional<Path> key();
    }

    /**
     * Whether a proxy that ends TLS is in front of the service. Then the service may listen without TLS on addresses other than loopback,
     * and accepts every Host header.
     */
    @WithDefault("false")
    boolean behindProxy();

    /**
     * File of webhooks and programs; default: none. Instances with the same handler share its events, and each one
     * shows and controls its own part only, so configure the file on one instance.
     */
    Optional<Path> handlersFile();

    /**
     * SMTP server for the mail that jobs ask for: {@code smtps://host:port}, or {@code smtp://host:port}, which requires STARTTLS except for
     * localhost; default: none, and mail is left to the workload managers. All instances need the same mail settings.
     */
    Optional<URI> mailServer();

    /** Sender address of mail; required with a mail server. */
    Optional<String> mailFrom();

    /** Domain of the address of a user who gives none; default: the mail server gets the bare user name. */
    Optional<String> mailDomain();

    /** User name at the mail server; default: no authentication. */
    Optional<String> mailUser();

    /** File with the password at the mail server, read for each mail. */
    Optional<Path> mailPasswordFile();

    /** PEM file of the only certificate authorities accepted for the mail server; default: those of the JVM. */
    Optional<Path> mailAuthorityFile();

    /**
     * Whether to delete the open periods of the ledger at this start and rebuild them from the log. Set it for one start, while no other
     * instance runs.
     */
    @WithDefault("false")
    boolean rebuildLedger();
}
