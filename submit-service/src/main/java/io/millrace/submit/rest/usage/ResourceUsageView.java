package io.millrace.submit.rest.usage;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.cluster.ResourceUsage;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** What a run used. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "ResourceUsage", description = "As the workload manager measured it; absent: not measured")
public record ResourceUsageView(
        @Schema(description = "User and system time of all processes; divide by coreSeconds for the efficiency")
        @Nullable
        Long cpuSeconds,

        @Schema(description = "Largest resident memory of all processes together") @Nullable
        Long peakMemoryBytes,

        @Schema(description = "Largest utilization of the GPUs, summed over them: 200 means two busy GPUs") @Nullable
        Integer peakGpuPercent) {

    /** Null if nothing was measured. */
    public static @Nullable ResourceUsageView of(final @Nullable ResourceUsage used) {
        return used == null
                ? null
                : new ResourceUsageView(
                        used.cpuTime() == null ? null : used.cpuTime().toSeconds(),
                        used.peakMemoryBytes(),
                        used.peakGpuPercent());
    }
}
