package io.millrace.agent.service;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.agent.Agent;
import io.millrace.agent.AgentFactory;
import io.millrace.agent.AgentSettings;
import io.millrace.agent.command.SignatureAuthorization;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.InputFile;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.file.JobFiles;
import io.millrace.agent.identity.SignedPlace;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.kafka.FileRequestReader;
import io.millrace.agent.kafka.KafkaAgentLog;
import io.millrace.agent.kafka.LockedOwners;
import io.millrace.agent.login.LoginEndpoint;
import io.millrace.agent.login.LoginKey;
import io.millrace.agent.login.TokenIssuer;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.process.FatalFailure;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.runtime.annotations.CommandLineArguments;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.Instance;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the agent with the application and stops it with the application. */
@ApplicationScoped
public class AgentService {

    private static final Logger LOG = LoggerFactory.getLogger(AgentService.class);

    /** How long ssh may take to pass a command line to another host. */
    private static final Duration SSH_DELAY = Duration.ofSeconds(15);

    /** A folder with more entries than fit is not listed. */
    private static final int MAX_LISTING_BYTES = 4 * 1024 * 1024;

    private final AgentConfig config;
    private final Instance<WorkloadManagerProvider> providers;
    private final KafkaConfig kafka;
    private final MeterRegistry registry;
    private final boolean isAgent;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable Agent agent;
    private @Nullable SiteMapping siteMapping;

    /** @param arguments of the command line; the agent has none */
    AgentService(
            final AgentConfig config,
            @Any final Instance<WorkloadManagerProvider> providers,
            final KafkaConfig kafka,
            final MeterRegistry registry,
            @CommandLineArguments final String[] arguments) {
        this.config = config;
        this.providers = providers;
        this.kafka = kafka;
        this.registry = registry;
        this.isAgent = arguments.length == 0;
    }

    void start(@Observes final StartupEvent event) {
        if (isAgent) {
            start();
        }
    }

    private void start() {
        FatalFailure.endsTheProcess(() -> Quarkus.asyncExit(FatalFailure.EXIT_CODE));
        requireUnicode();
        final ClusterId cluster = ClusterId.of(config.cluster());
        final Clock clock = Clock.systemUTC();
        final Accounts accounts = new Accounts();
        makeHome(config.home());
        InputFile.removeLeftBehind(accounts.own(), clock.instant());
        final WorkloadManagerProvider provider =
                Adapters.provider(config.adapter(), providers.stream().toList());
        final boolean asOwner = provider.runsAsOwner();
        final SiteMapping opened = config.siteMapping()
                .map(file -> SiteMapping.of(cluster, file, acceptedIssuers()))
                .orElseGet(() -> SiteMapping.none(cluster, acceptedIssuers()));
        siteMapping = opened;
        final LockedOwners locked = new LockedOwners(kafka.bootstrapServers(), kafka.clientProperties(), cluster);
        open.push(locked);
        final OwnerAccounts owners = new OwnerAccounts(
                accounts, new ProcessRunner(accounts), asOwner, opened::names, config.minUid(), locked::refusal);
        final WorkloadManager wlm = Adapters.open(provider, config, cluster, accounts, clock);
        open.push(wlm);
        final @Nullable SubmissionSignature signatures =
                config.submissionKeys().map(SubmissionSignature::new).orElse(null);
        final TransferSettings transfers = transfers();
        final Agent fresh = AgentFactory.agent(
                settings(cluster, provider.commandLimit()),
                wlm,
                provider.embedded(),
                owners,
                opened,
                new SignatureAuthorization(signatures, owners, new SignedPlace(cluster, transfers.stagingRoot())),
                transfers,
                new KafkaAgentLog(
                        kafka.bootstrapServers(), kafka.replication(), cluster, clock, kafka.clientProperties()),
                clock,
                registry,
                () -> Quarkus.asyncExit(Agent.FENCED_EXIT_CODE));
        open.push(fresh);
        agent = fresh;
        fresh.start();
        final FileRequestReader files = new FileRequestReader(
                kafka.bootstrapServers(),
                kafka.clientProperties(),
                cluster,
                new JobFiles(
                        new OwnerAccounts(
                                accounts,
                                new ProcessRunner(accounts, MAX_LISTING_BYTES),
                                asOwner,
                                opened::names,
                                config.minUid(),
                                locked::refusal),
                        transfers,
                        signatures),
                clock);
        open.push(files);
        files.start();
        login(
                cluster,
                accounts,
                clock,
                !asOwner,
                opened,
                account -> owners.refusalOfAccount(account)
                        .or(() -> opened.names().soleUser(account).flatMap(locked::refusal)));
        LOG.atInfo()
                .addKeyValue("cluster", cluster)
                .log("agent started with adapter {} and home {}", provider.name(), config.home());
    }

    /** User names and paths may contain characters outside ASCII. In other locales they would be passed as question marks. */
    private static void requireUnicode() {
        final String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
        if (!Charset.forName(encoding).newEncoder().canEncode("größe 温度")) {
            throw new IllegalStateException("the locale of this process (" + encoding
                    + ") cannot encode all names; start the agent with LC_ALL=C.UTF-8");
        }
    }

    private static void makeHome(final Path home) {
        try {
            if (!Files.isDirectory(home)) {
                Files.createDirectories(home);
                Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx--x--x"));
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(
                    "cannot create " + home + "; set millrace.agent.home to a folder that the agent may create", e);
        }
    }

    private AgentSettings settings(final ClusterId cluster, final Duration commandLimit) {
        return new AgentSettings(
                cluster,
                config.control(),
                config.stagingRoot(),
                config.dataHost().orElse(null),
                config.heartbeatFile().orElse(null),
                config.home().resolve("work"),
                config.pollInterval(),
                AgentConfig.HEARTBEAT_INTERVAL,
                AgentConfig.ACCOUNTING_TIMEOUT,
                config.ssh().destination().isPresent() ? commandLimit.plus(SSH_DELAY) : commandLimit,
                AgentConfig.RECLAIM_TIMEOUT,
                config.makeTimeout(),
                AgentConfig.DECIDER_TIMEOUT,
                AgentConfig.DIRECTED_AFTER,
                config.restartCost(),
                AgentConfig.UNOBSERVED_INTERVAL,
                config.localProjects());
    }

    private TransferSettings transfers() {
        final TransferSettings usual = TransferSettings.of(
                config.stagingRoot().toString(), config.dataHost().orElse(null));
        return new TransferSettings(
                usual.stagingRoot(),
                usual.dataHost(),
                usual.ssh(),
                usual.stall(),
                usual.silence(),
                AgentConfig.COPY_TIMEOUT,
                config.copyCache() * 1024L * 1024);
    }

    private void login(
            final ClusterId cluster,
            final Accounts accounts,
            final Clock clock,
            final boolean forAll,
            final SiteMapping mapping,
            final Function<UserName, Optional<String>> refusal) {
        config.loginSocket().ifPresent(socket -> {
            final LoginKey key = LoginKey.open(config.home().resolve("login-key.json"));
            config.loginPublicKeyDir().ifPresent(folder -> key.publish(folder, cluster));
            final TokenIssuer issuer = new TokenIssuer(cluster, key, config.loginTokenLifetime(), clock);
            open.push(LoginEndpoint.open(
                    socket, issuer, accounts, forAll, account -> mapping.names().soleUser(account), refusal));
        });
    }

    private Set<ClusterId> acceptedIssuers() {
        return config.acceptedIssuers().orElse(Set.of()).stream()
                .map(ClusterId::of)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Nullable
    Agent agent() {
        return agent;
    }

    /** What is wrong with the site mapping file; null if nothing is. */
    @Nullable
    String siteMappingProblem() {
        return siteMapping == null ? null : siteMapping.problem();
    }

    void stop(@Observes final ShutdownEvent event) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (final Exception e) {
                LOG.warn("a component of the agent could not be closed", e);
            }
        }
    }
}
