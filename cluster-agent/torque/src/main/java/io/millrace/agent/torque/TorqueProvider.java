package io.millrace.agent.torque;

import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.ZoneId;

/** Opens the adapter {@code torque}. */
@ApplicationScoped
class TorqueProvider implements WorkloadManagerProvider {

    private final TorqueConfig config;

    TorqueProvider(final TorqueConfig config) {
        this.config = config;
    }

    @Override
    public String name() {
        return "torque";
    }

    @Override
    public WorkloadManager open(final ProviderContext context) {
        final TorqueSite site = new TorqueSite(
                context.cluster(),
                context.programs(config.binDir(), "millrace.agent.torque.bin-dir")
                        .orElse(null),
                config.server().orElse(null),
                config.accounting(),
                config.zone().map(ZoneId::of).orElseGet(ZoneId::systemDefault),
                config.stateDir().resolve("tags"),
                config.checkpoints());
        return Torque.of(site, context.runner(), context.clock(), context.nonces());
    }

    /** The server can wait this long for the answer of a node. */
    @Override
    public Duration commandLimit() {
        return Duration.ofSeconds(60);
    }
}
