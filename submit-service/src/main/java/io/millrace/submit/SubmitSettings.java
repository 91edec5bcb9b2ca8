package io.millrace.submit;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;

/** Settings of submit-service. */
@ConfigMapping(prefix = "millrace.submit")
public interface SubmitSettings {

    /**
     * Folder of the key that signs submissions: {@code submission-key.json} (0600) and {@code submission-keys.pub.json}, which agents
     * read. Both are made if missing; all instances need the same files.
     */
    @WithDefault("keys")
    Path keyDir();

    /** Folder of the public keys ({@code *.pub.json}, JWK) of the agents whose login tokens are believed. */
    @WithDefault("keys/trusted")
    Path trustedKeysDir();

    /** How often the folder may be read again because a token names a key that is not known. */
    @WithDefault("2s")
    Duration trustedKeysInterval();

    /** The audience that tokens must name. */
    @WithDefault("millrace")
    String audience();

    /** Tokens that live longer than this are refused. */
    @WithDefault("12h")
    Duration tokenLife();

    /** By how much clocks of login nodes may differ from ours. */
    @WithDefault("30s")
    Duration clockSkew();

    /** Users who see and stop every job and change quotas. */
    Optional<List<String>> operators();

    /** How long a submission's signature is good; a job that waits longer is refused by the agent. */
    @WithDefault("30d")
    Duration signatureLife();

    /** How long a request waits until the read model has passed the record it wrote or names. */
    @WithDefault("5s")
    Duration patience();

    /** How long a dry run waits for the clusters' answers. */
    @WithDefault("10s")
    Duration rehearsalPatience();

    /** A cluster whose marker is older than this is shown as silent. */
    @WithDefault("45s")
    Duration silentAfter();

    /** How long ended global jobs and runs are kept in the read model. */
    @WithDefault("400d")
    Duration keepJobs();

    /** How long commands and their outcomes are kept in the read model. */
    @WithDefault("30d")
    Duration keepCommands();

    /** How long the feed of changes reaches back for clients that resume. */
    @WithDefault("2d")
    Duration keepChanges();

    /** Time zone of the site, such as Europe/Berlin, in which the days of {@code mgusage} begin. */
    @WithDefault("UTC")
    ZoneId zone();

    /** How often the feed looks for changes while somebody follows it. */
    @WithDefault("250ms")
    Duration feedInterval();

    /**
     * Webhooks, programs and files of usage records that the site attaches; none if left out. Where several instances name one, they
     * share each handler's events, and each shows and steers its own part: name it on one of them.
     */
    Optional<Path> handlersFile();

    /**
     * Whether to drop, at this start, what the ledger has behind its last closed months, and to read it from the log again. For one start,
     * while no other instance runs.
     */
    @WithDefault("false")
    boolean rebuildLedger();

    /** Largest page of a list. */
    @WithDefault("500")
    int maxPage();
}
