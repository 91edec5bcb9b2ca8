package io.millrace.agent.pbspro;

import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Opens the adapter {@code pbspro}. */
@ApplicationScoped
class PbsProProvider implements WorkloadManagerProvider {

    private final PbsConfig config;

    PbsProProvider(final PbsConfig config) {
        this.config = config;
    }

    @Override
    public String name() {
        return "pbspro";
    }

    /** Today's OpenPBS is the open-source edition of PBS Pro. */
    @Override
    public Set<String> aliases() {
        return Set.of("openpbs");
    }

    @Override
    public WorkloadManager open(final ProviderContext context) {
        final PbsConf conf = context.remote() == null ? PbsConf.read(config.confFile()) : PbsConf.ofAnotherHost();
        final Map<String, String> environment = new HashMap<>();
        if (!config.confFile().equals(Path.of("/etc/pbs.conf"))) {
            environment.put("PBS_CONF_FILE", config.confFile().toString());
        }
        config.server().ifPresent(server -> environment.put("PBS_SERVER", server));
        final PbsSite site = new PbsSite(
                context.cluster(),
                context.programs(config.binDir(), "millrace.agent.pbs.bin-dir")
                        .or(conf::programs)
                        .orElse(null),
                environment,
                config.queryZone(),
                config.serverZone().map(ZoneId::of).orElseGet(ZoneId::systemDefault),
                config.accountingDir().or(conf::accounting).orElse(null),
                config.eventsFile().orElse(null),
                context.account(),
                config.chargeBy());
        return PbsPro.of(site, context.runner(), context.clock(), context.nonces());
    }

    /** The server can wait this long for the answer of a node. */
    @Override
    public Duration commandLimit() {
        return Duration.ofSeconds(60);
    }
}
