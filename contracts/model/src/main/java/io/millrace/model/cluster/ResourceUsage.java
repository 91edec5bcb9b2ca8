package io.millrace.model.cluster;

import java.time.Duration;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a run used, as its workload manager measured it. Null: not measured. Workload managers sample, so the figures of a run of a few seconds
 * can be missing.
 *
 * @param cpuTime user and system time of all its processes, rounded to seconds
 * @param peakMemoryBytes largest resident memory of all its processes together; of a run on several nodes, the sum of their peaks
 * @param peakGpuPercent largest utilization of its GPUs, summed over them: 200 means two busy GPUs
 */
public record ResourceUsage(
        @Nullable Duration cpuTime,
        @Nullable Long peakMemoryBytes,
        @Nullable Integer peakGpuPercent) {

    public static final ResourceUsage NONE = new ResourceUsage(null, null, null);

    public ResourceUsage {
        if (cpuTime != null && cpuTime.isNegative()
                || peakMemoryBytes != null && peakMemoryBytes < 0
                || peakGpuPercent != null && peakGpuPercent < 0) {
            throw new IllegalArgumentException("usage cannot be negative: cpuTime=" + cpuTime + " peakMemoryBytes="
                    + peakMemoryBytes + " peakGpuPercent=" + peakGpuPercent);
        }
        cpuTime = cpuTime == null
                ? null
                : Duration.ofSeconds(cpuTime.plusMillis(500).toSeconds());
    }

    /** Of two parts that ran one after the other. */
    public ResourceUsage then(final ResourceUsage next) {
        return new ResourceUsage(
                combined(cpuTime, next.cpuTime, Duration::plus),
                combined(peakMemoryBytes, next.peakMemoryBytes, Math::max),
                combined(peakGpuPercent, next.peakGpuPercent, Math::max));
    }

    /** Of two parts that ran at the same time. */
    public ResourceUsage beside(final ResourceUsage other) {
        return new ResourceUsage(
                combined(cpuTime, other.cpuTime, Duration::plus),
                combined(peakMemoryBytes, other.peakMemoryBytes, Long::sum),
                combined(peakGpuPercent, other.peakGpuPercent, Integer::sum));
    }

    private static <T> @Nullable T combined(
            final @Nullable T one, final @Nullable T other, final BinaryOperator<T> of) {
        return one == null ? other : other == null ? one : of.apply(one, other);
    }
}
