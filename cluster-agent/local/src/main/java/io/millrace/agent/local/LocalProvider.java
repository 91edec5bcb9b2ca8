package io.millrace.agent.local;

import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Adapter {@code local}. */
@ApplicationScoped
class LocalProvider implements WorkloadManagerProvider {

    private final LocalConfig config;

    LocalProvider(final LocalConfig config) {
        this.config = config;
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public WorkloadManager open(final ProviderContext context) {
        if (context.remote() != null) {
            throw new IllegalStateException("adapter 'local' cannot run over ssh; unset millrace.agent.ssh.destination,"
                    + " or choose another millrace.agent.adapter");
        }
        return new LocalCluster(
                        new LocalSettings(
                                context.cluster(),
                                config.stateDir(),
                                config.nodes(),
                                config.coresPerNode(),
                                context.control(),
                                runsAsOwner(),
                                Duration.ofSeconds(5),
                                Duration.ofDays(30)),
                        context.accounts(),
                        context.clock())
                .open()
                .adapter();
    }

    /** Its commands end with the agent's process. */
    @Override
    public Duration commandLimit() {
        return Duration.ofSeconds(1);
    }

    @Override
    public boolean embedded() {
        return true;
    }

    @Override
    public boolean runsAsOwner() {
        return config.runAs() == LocalConfig.RunAs.OWNER;
    }
}
