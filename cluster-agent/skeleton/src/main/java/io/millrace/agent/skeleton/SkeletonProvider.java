package io.millrace.agent.skeleton;

import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.provider.ProviderContext;
import io.millrace.agent.wlm.provider.WorkloadManagerProvider;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** Adapter {@code skeleton}. */
@ApplicationScoped
class SkeletonProvider implements WorkloadManagerProvider {

    private final SkeletonConfig config;

    SkeletonProvider(final SkeletonConfig config) {
        this.config = config;
    }

    @Override
    public String name() {
        return "skeleton";
    }

    @Override
    public WorkloadManager open(final ProviderContext context) {
        return new Skeleton(
                        context.cluster(),
                        context.programs(config.binDir(), "millrace.agent.skeleton.bin-dir")
                                .orElse(null),
                        context.runner(),
                        context.clock())
                .adapter();
    }

    @Override
    public Duration commandLimit() {
        return Duration.ofSeconds(20);
    }
}
