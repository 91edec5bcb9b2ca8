package io.millrace.agent.pbs;

import io.millrace.model.cluster.ResourceUsage;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads {@code resources_used} of a run: CPU time and memory of all its processes on all its nodes. */
public final class ResourcesUsed {

    private ResourcesUsed() {}

    /**
     * @param attribute the value of an attribute such as {@code resources_used.cput}; null if it is missing
     * @return without figures if MoM has never sampled the run, which it reports as {@code 00:00:00} and {@code 0kb}
     */
    public static ResourceUsage read(final Function<String, @Nullable String> attribute) {
        final Duration cpu = PbsDuration.read(attribute.apply("resources_used.cput"));
        final long memory = PbsSize.bytes(attribute.apply("resources_used.mem"));
        return memory == 0
                ? new ResourceUsage(cpu == null || cpu.isZero() ? null : cpu, null, null)
                : new ResourceUsage(cpu, memory, null);
    }
}
