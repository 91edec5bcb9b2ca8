package io.millrace.agent;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.kafka.KafkaAgentLog;
import io.millrace.agent.local.LocalCluster;
import io.millrace.agent.local.LocalSettings;
import io.millrace.agent.login.LoginEndpoint;
import io.millrace.agent.login.LoginKey;
import io.millrace.agent.login.TokenIssuer;
import io.millrace.agent.lsf.Lsf;
import io.millrace.agent.lsf.LsfSite;
import io.millrace.agent.openpbs.Torque;
import io.millrace.agent.openpbs.TorqueSite;
import io.millrace.agent.pbspro.PbsConf;
import io.millrace.agent.pbspro.PbsPro;
import io.millrace.agent.pbspro.PbsSite;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.SlurmSite;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.wlm.Accounts;
import io.millrace.agent.wlm.ProcessRunner;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the agent with the application and ends it with it. */
@ApplicationScoped
public class AgentService {

    private static final Logger LOG = LoggerFactory.getLogger(AgentService.class);

    private final AgentConfig config;
    private final LsfConfig lsf;
    private final PbsConfig pbs;
    private final OpenPbsConfig openpbs;
    private final KafkaConfig kafka;
    private final MeterRegistry registry;
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private @Nullable Agent agent;
    private @Nullable Surroundings around;

    AgentService(
            final AgentConfig config,
            final LsfConfig lsf,
            final PbsConfig pbs,
            final OpenPbsConfig openpbs,
            final KafkaConfig kafka,
            final MeterRegistry registry) {
        this.config = config;
        this.lsf = lsf;
        this.pbs = pbs;
        this.openpbs = openpbs;
        this.kafka = kafka;
        this.registry = registry;
    }

    void start(@Observes final StartupEvent event) {
        requireUnicode();
        final ClusterId cluster = ClusterId.of(config.cluster());
        final Clock clock = Clock.systemUTC();
        final Accounts accounts = new Accounts();
        makeHome(config.home());
        final boolean local = config.adapter() == AgentConfig.Adapter.LOCAL;
        final boolean asOwner = !local || config.local().runAs() == AgentConfig.RunAs.OWNER;
        final Surroundings surroundings = config.surroundings()
                .map(file -> Surroundings.of(cluster, file))
                .orElseGet(() -> Surroundings.none(cluster));
        around = surroundings;
        final Owners owners =
                new Owners(accounts, new ProcessRunner(accounts), asOwner, surroundings::names, config.leastUid());
        final WorkloadManager wlm = switch (config.adapter()) {
            case LOCAL -> local(cluster, accounts, clock);
            case SLURM -> slurm(cluster, accounts, clock);
            case PBSPRO -> pbspro(cluster, accounts, clock);
            case LSF -> lsf(cluster, accounts, clock);
            case OPENPBS -> openpbs(cluster, accounts, clock);
        };
        final Agent fresh = Assembly.agent(
                settings(cluster),
                wlm,
                local,
                owners,
                surroundings,
                new SignedByOwner(
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
        LOG.info("agent of '{}' ({}) with its home in {}", cluster, config.adapter(), config.home());
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

    private WorkloadManager local(final ClusterId cluster, final Accounts accounts, final Clock clock) {
        final AgentConfig.Local local = config.local();
        final LocalCluster opened = new LocalCluster(
                        new LocalSettings(
                                cluster,
                                local.stateDir(),
                                local.nodes(),
                                local.coresPerNode(),
                                config.control(),
                                local.runAs() == AgentConfig.RunAs.OWNER),
                        accounts,
                        clock)
                .open();
        open.push(opened);
        return opened;
    }

    private WorkloadManager slurm(final ClusterId cluster, final Accounts accounts, final Clock clock) {
        return new Slurm(
                new SlurmSite(cluster, config.slurm().confFile()), new ProcessRunner(accounts), clock, nonces());
    }

    private WorkloadManager pbspro(final ClusterId cluster, final Accounts accounts, final Clock clock) {
        final PbsConf conf = PbsConf.read(pbs.confFile());
        final Map<String, String> environment = new HashMap<>();
        if (!pbs.confFile().equals(Path.of("/etc/pbs.conf"))) {
            environment.put("PBS_CONF_FILE", pbs.confFile().toString());
        }
        pbs.server().ifPresent(server -> environment.put("PBS_SERVER", server));
        final PbsSite site = new PbsSite(
                cluster,
                pbs.binDir().or(conf::programs).orElse(null),
                environment,
                pbs.queryZone(),
                pbs.serverZone().map(ZoneId::of).orElseGet(ZoneId::systemDefault),
                pbs.accountingDir().or(conf::accounting).orElse(null),
                accounts.own().name().value(),
                pbs.chargeBy());
        return new PbsPro(site, new ProcessRunner(accounts), clock, nonces());
    }

    private WorkloadManager lsf(final ClusterId cluster, final Accounts accounts, final Clock clock) {
        final LsfSite site = new LsfSite(
                cluster,
                lsf.binDir().orElse(null),
                lsf.envDir().orElse(null),
                lsf.stateDir(),
                lsf.queues().orElse(Set.of()),
                lsf.guaranteedQueue().orElse(null),
                lsf.borrowedQueue().orElse(null),
                lsf.logDir().orElse(null),
                lsf.checkpointDir().orElse(null),
                lsf.checkpointMethod());
        return new Lsf(site, new ProcessRunner(accounts), accounts, clock, nonces());
    }

    private WorkloadManager openpbs(final ClusterId cluster, final Accounts accounts, final Clock clock) {
        final TorqueSite site = new TorqueSite(
                cluster,
                openpbs.binDir().orElse(null),
                openpbs.server().orElse(null),
                openpbs.accounting(),
                openpbs.zone().map(ZoneId::of).orElseGet(ZoneId::systemDefault),
                openpbs.stateDir().resolve("tags"),
                openpbs.checkpoints());
        return new Torque(site, new ProcessRunner(accounts), clock, nonces());
    }

    /** Words that nobody can guess. */
    private static Supplier<String> nonces() {
        final SecureRandom random = new SecureRandom();
        return () -> {
            final byte[] bytes = new byte[12];
            random.nextBytes(bytes);
            return HexFormat.of().formatHex(bytes);
        };
    }

    private AgentSettings settings(final ClusterId cluster) {
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
                // What the embedded one was told ended with its process; a command line lives up to its limit, which in
                // PBS is that of an answer from a node.
                switch (config.adapter()) {
                    case LOCAL -> Duration.ofSeconds(1);
                    case SLURM, LSF -> Duration.ofSeconds(20);
                    case PBSPRO, OPENPBS -> Duration.ofSeconds(60);
                },
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
            final Surroundings surroundings) {
        config.loginSocket().ifPresent(socket -> {
            final LoginKey key = LoginKey.open(config.loginKey());
            config.loginPublicKeyDir().ifPresent(folder -> key.publish(folder, cluster));
            final TokenIssuer issuer = new TokenIssuer(cluster, key, config.loginTokenLife(), clock);
            open.push(LoginEndpoint.open(
                    socket,
                    issuer,
                    accounts,
                    forAll,
                    account -> surroundings.names().speaker(account)));
        });
    }

    @Nullable
    Agent agent() {
        return agent;
    }

    /** What is wrong with the surroundings; null if nothing is. */
    @Nullable
    String troubleOfSurroundings() {
        return around == null ? null : around.trouble();
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
