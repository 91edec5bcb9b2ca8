package io.millrace.submit.rest.priority;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.PartitionName;
import io.millrace.model.policy.PartitionOverflow;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A rule that opens other partitions from a priority on. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "PartitionOverflow")
public record PartitionOverflowView(
        @Schema(description = "Absent: every cluster with these partitions") @Nullable
        String cluster,

        @Schema(description = "Partition of the waiting job; absent: any") @Nullable
        String from,

        @Schema(description = "Lowest priority to which the rule applies, in points")
        long minPriority,

        @Schema(description = "The other partitions in order of preference")
        List<String> to) {

    static PartitionOverflowView of(final PartitionOverflow overflow) {
        return new PartitionOverflowView(
                Objects.toString(overflow.cluster(), null),
                Objects.toString(overflow.from(), null),
                overflow.minPriority(),
                names(overflow.to()));
    }

    public static List<String> names(final List<PartitionName> partitions) {
        return partitions.stream().map(PartitionName::value).toList();
    }
}
