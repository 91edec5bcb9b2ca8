package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.ZoneId;

/** Adapter {@code openpbs}. */
@ApplicationScoped
class OpenPbsProvider implements WorkloadManagerProvider {

    private final OpenPbsConfig config;

    OpenPbsProvider(final OpenPbsConfig config) {
        this.config = config;
    }

    @Override
    public String name() {
        return "openpbs";
    }

    @Override
    public WorkloadManager open(final ProviderContext context) {
        final TorqueSite site = new TorqueSite(
                context.cluster(),
                context.programs(config.binDir(), "millrace.agent.openpbs.bin-dir")
                        .orElse(null),
                config.server().orElse(null),
                config.accounting(),
                config.zone().map(ZoneId::of).orElseGet(ZoneId::systemDefault),
                config.stateDir().resolve("tags"),
                config.checkpoints());
        return new Torque(site, context.runner(), context.clock(), context.nonces());
    }

    /** The server may wait this long for an answer from a node. */
    @Override
    public Duration commandLimit() {
        return Duration.ofSeconds(60);
    }
}
