package io.millrace.agent.service;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.agent.Agent;
import io.millrace.agent.AgentFactory;
import io.millrace.agent.AgentSettings;
import io.millrace.agent.command.SignatureAuthorization;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.InputFile;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.kafka.KafkaAgentLog;
import io.millrace.agent.login.LoginEndpoint;
import io.millrace.agent.login.LoginKey;
import io.millrace.agent.login.TokenIssuer;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.site.SiteMapping;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import io.millrace.model.ClusterId;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
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
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the agent with the application and ends it with it. */
@ApplicationScoped
public class AgentService {

    private static final Logger LOG = LoggerFactory.getLogger(AgentService.class);

    /** What ssh may take to bring a command line to another host. */
    private static final Duration ON_THE_WAY = Duration.ofSeconds(15);

    private final AgentConfig config;
    private final Instance<WorkloadManagerProvider> providers;
    private final KafkaConfig kafka;
    private final MeterRegistry registry;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable Agent agent;
    private @Nullable SiteMapping around;

    AgentService(
            final AgentConfig config,
            @Any final Instance<WorkloadManagerProvider> providers,
            final KafkaConfig kafka,
            final MeterRegistry registry) {
        this.config = config;
        this.providers = providers;
        this.kafka = kafka;
        this.registry = registry;
    }

    void start(@Observes final StartupEvent event) {
        requireUnicode();
        final ClusterId cluster = ClusterId.of(config.cluster());
        final Clock clock = Clock.systemUTC();
        final Accounts accounts = new Accounts();
        makeHome(config.home());
        InputFile.removeLeftBehind(accounts.own(), clock.instant());
        final WorkloadManagerProvider provider =
                Adapters.provider(config.adapter(), providers.stream().toList());
        final boolean asOwner = provider.runsAsOwner();
        final SiteMapping surroundings = config.surroundings()
                .map(file -> SiteMapping.of(cluster, file))
                .orElseGet(() -> SiteMapping.none(cluster));
        around = surroundings;
        final OwnerAccounts owners = new OwnerAccounts(
                accounts, new ProcessRunner(accounts), asOwner, surroundings::names, config.leastUid());
        final WorkloadManager wlm = Adapters.open(provider, config, cluster, accounts, clock);
        if (wlm instanceof AutoCloseable closeable) {
            open.push(closeable);
        }
        final Agent fresh = AgentFactory.agent(
                settings(cluster, provider.commandLimit()),
                wlm,
                provider.embedded(),
                owners,
                surroundings,
                new SignatureAuthorization(
                        config.submissionKeys().map(SubmissionSignature::new).orElse(null), owners),
                transfers(),
                new KafkaAgentLog(
                        kafka.bootstrapServers(), kafka.partitions(), kafka.replication(), cluster, clock, Map.of()),
                clock,
                registry,
                () -> Quarkus.asyncExit(3));
        open.push(fresh);
        agent = fresh;
        fresh.start();
        login(cluster, accounts, clock, !asOwner, surroundings);
        LOG.info("agent of '{}' ({}) with its home in {}", cluster, provider.name(), config.home());
    }

    /** Names and paths of users are not all ASCII; in a locale that cannot write them they would arrive as question marks. */
    private static void requireUnicode() {
        final String encoding = System.getProperty("sun.jnu.encoding", "UTF-8");
        if (!Charset.forName(encoding).newEncoder().canEncode("größe 温度")) {
            throw new IllegalStateException(
                    "this process's locale (" + encoding + ") cannot write all names; start it with LC_ALL=C.UTF-8");
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
                    "cannot make " + home + "; set millrace.agent.home to a folder of the agent's own", e);
        }
    }

    private AgentSettings settings(final ClusterId cluster, final Duration commandLimit) {
        return new AgentSettings(
                cluster,
                config.control(),
                config.stagingRoot(),
                config.dataHost().orElse(null),
                config.heartbeatFile().orElse(null),
                config.workDir(),
                config.pollInterval(),
                config.heartbeatInterval(),
                config.settleDeadline(),
                config.ssh().destination().isPresent() ? commandLimit.plus(ON_THE_WAY) : commandLimit,
                config.reclaimLimit(),
                config.makeLimit(),
                config.silence(),
                config.back(),
                config.restartCost(),
                config.unseenEvery());
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
                config.copyLimit(),
                config.copyBandwidth());
    }

    private void login(
            final ClusterId cluster,
            final Accounts accounts,
            final Clock clock,
            final boolean forAll,
            final SiteMapping surroundings) {
        config.loginSocket().ifPresent(socket -> {
            final LoginKey key = LoginKey.open(config.loginKey());
            config.loginPublicKeyDir().ifPresent(folder -> key.publish(folder, cluster));
            final TokenIssuer issuer = new TokenIssuer(cluster, key, config.loginTokenLife(), clock);
            open.push(LoginEndpoint.open(
                    socket,
                    issuer,
                    accounts,
                    forAll,
                    account -> surroundings.names().soleUser(account)));
        });
    }

    @Nullable
    Agent agent() {
        return agent;
    }

    /** What is wrong with the surroundings; null if nothing is. */
    @Nullable
    String troubleOfSurroundings() {
        return around == null ? null : around.problem();
    }

    void stop(@Observes final ShutdownEvent event) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (final Exception e) {
                LOG.warn("a part of the agent could not be closed", e);
            }
        }
    }
}
