package io.millrace.agent;

import io.millrace.agent.local.LocalCluster;
import io.millrace.agent.local.LocalSettings;
import io.millrace.agent.lsf.Lsf;
import io.millrace.agent.lsf.LsfSite;
import io.millrace.agent.openpbs.Torque;
import io.millrace.agent.openpbs.TorqueSite;
import io.millrace.agent.pbspro.PbsConf;
import io.millrace.agent.pbspro.PbsPro;
import io.millrace.agent.pbspro.PbsSite;
import io.millrace.agent.slurm.Slurm;
import io.millrace.agent.slurm.SlurmSite;
import io.millrace.agent.wlm.Accounts;
import io.millrace.agent.wlm.ProcessRunner;
import io.millrace.agent.wlm.Runner;
import io.millrace.agent.wlm.SshDestination;
import io.millrace.agent.wlm.SshRunner;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.ClusterId;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Opens the workload manager that the settings name, on this host or through ssh. */
final class Adapters {

    private final AgentConfig config;
    private final LsfConfig lsf;
    private final PbsConfig pbs;
    private final OpenPbsConfig openpbs;
    private final Accounts accounts;
    private final Clock clock;
    private final @Nullable SshDestination remote;
    private final Runner runner;

    Adapters(
            final AgentConfig config,
            final LsfConfig lsf,
            final PbsConfig pbs,
            final OpenPbsConfig openpbs,
            final Accounts accounts,
            final Clock clock) {
        this.config = config;
        this.lsf = lsf;
        this.pbs = pbs;
        this.openpbs = openpbs;
        this.accounts = accounts;
        this.clock = clock;
        this.remote = destination(config.ssh());
        final Runner here = new ProcessRunner(accounts);
        this.runner = remote == null ? here : new SshRunner(here, remote);
    }

    private static @Nullable SshDestination destination(final AgentConfig.Ssh ssh) {
        return ssh.destination()
                .map(host -> new SshDestination(
                        host,
                        ssh.port(),
                        ssh.key().orElse(null),
                        ssh.knownHosts().orElse(null),
                        ssh.configFile().orElse(null)))
                .orElse(null);
    }

    WorkloadManager open(final ClusterId cluster) {
        return switch (config.adapter()) {
            case LOCAL -> local(cluster);
            case SLURM -> slurm(cluster);
            case PBSPRO -> pbspro(cluster);
            case LSF -> lsf(cluster);
            case OPENPBS -> openpbs(cluster);
        };
    }

    private WorkloadManager local(final ClusterId cluster) {
        if (remote != null) {
            throw new IllegalStateException("the embedded workload manager runs in the agent itself; unset"
                    + " millrace.agent.ssh.destination, or choose another millrace.agent.adapter");
        }
        final AgentConfig.Local local = config.local();
        return new LocalCluster(
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
    }

    private WorkloadManager slurm(final ClusterId cluster) {
        return new Slurm(new SlurmSite(cluster, config.slurm().confFile()), runner, clock, nonces());
    }

    private WorkloadManager pbspro(final ClusterId cluster) {
        final PbsConf conf = remote == null ? PbsConf.read(pbs.confFile()) : PbsConf.ofAnotherHost();
        final Map<String, String> environment = new HashMap<>();
        if (!pbs.confFile().equals(Path.of("/etc/pbs.conf"))) {
            environment.put("PBS_CONF_FILE", pbs.confFile().toString());
        }
        pbs.server().ifPresent(server -> environment.put("PBS_SERVER", server));
        final PbsSite site = new PbsSite(
                cluster,
                programs(pbs.binDir(), "pbs").or(conf::programs).orElse(null),
                environment,
                pbs.queryZone(),
                pbs.serverZone().map(ZoneId::of).orElseGet(ZoneId::systemDefault),
                pbs.accountingDir().or(conf::accounting).orElse(null),
                pbs.eventsFile().orElse(null),
                account(),
                pbs.chargeBy());
        return new PbsPro(site, runner, clock, nonces());
    }

    private WorkloadManager lsf(final ClusterId cluster) {
        final LsfSite site = new LsfSite(
                cluster,
                programs(lsf.binDir(), "lsf").orElse(null),
                lsf.envDir().orElse(null),
                lsf.stateDir(),
                lsf.queues().orElse(Set.of()),
                lsf.guaranteedQueue().orElse(null),
                lsf.borrowedQueue().orElse(null),
                lsf.logDir().orElse(null),
                lsf.checkpointDir().orElse(null),
                lsf.checkpointMethod());
        return new Lsf(site, runner, accounts, clock, nonces());
    }

    private WorkloadManager openpbs(final ClusterId cluster) {
        final TorqueSite site = new TorqueSite(
                cluster,
                programs(openpbs.binDir(), "openpbs").orElse(null),
                openpbs.server().orElse(null),
                openpbs.accounting(),
                openpbs.zone().map(ZoneId::of).orElseGet(ZoneId::systemDefault),
                openpbs.stateDir().resolve("tags"),
                openpbs.checkpoints());
        return new Torque(site, runner, clock, nonces());
    }

    /** Whom the workload manager takes the agent for. */
    private String account() {
        return Optional.ofNullable(remote)
                .flatMap(SshDestination::account)
                .orElseGet(() -> accounts.own().name().value());
    }

    /** Over there the forced command looks for programs, in folders that its own settings name. */
    private Optional<Path> programs(final Optional<Path> folder, final String group) {
        if (remote != null && folder.isPresent()) {
            throw new IllegalStateException(
                    "millrace.agent." + group + ".bin-dir has no effect over ssh: write 'folder="
                            + folder.get() + "' into /etc/millrace/remote.conf on " + remote.host()
                            + ", and leave the setting out");
        }
        return folder;
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
}
