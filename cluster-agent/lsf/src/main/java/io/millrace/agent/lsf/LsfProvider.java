package io.millrace.agent.lsf;

import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Set;

/** Adapter {@code lsf}. */
@ApplicationScoped
class LsfProvider implements WorkloadManagerProvider {

    private final LsfConfig config;

    LsfProvider(final LsfConfig config) {
        this.config = config;
    }

    @Override
    public String name() {
        return "lsf";
    }

    @Override
    public WorkloadManager open(final ProviderContext context) {
        final LsfSite site = new LsfSite(
                context.cluster(),
                context.programs(config.binDir(), "millrace.agent.lsf.bin-dir").orElse(null),
                config.envDir().orElse(null),
                config.stateDir(),
                config.queues().orElse(Set.of()),
                config.guaranteedQueue().orElse(null),
                config.borrowedQueue().orElse(null),
                config.logDir().orElse(null),
                config.checkpointDir().orElse(null),
                config.checkpointMethod());
        return Lsf.of(site, context.runner(), context.accounts(), context.clock(), context.nonces());
    }

    @Override
    public Duration commandLimit() {
        return Duration.ofSeconds(20);
    }
}
