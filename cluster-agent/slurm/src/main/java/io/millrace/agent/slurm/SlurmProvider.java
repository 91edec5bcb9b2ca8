package io.millrace.agent.slurm;

import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Adapter {@code slurm}. */
@ApplicationScoped
class SlurmProvider implements WorkloadManagerProvider {

    private final SlurmConfig config;

    SlurmProvider(final SlurmConfig config) {
        this.config = config;
    }

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public WorkloadManager open(final ProviderContext context) {
        return Slurm.of(
                new SlurmSite(context.cluster(), config.confFile()),
                context.runner(),
                context.clock(),
                context.nonces());
    }

    @Override
    public Duration commandLimit() {
        return Duration.ofSeconds(20);
    }
}
