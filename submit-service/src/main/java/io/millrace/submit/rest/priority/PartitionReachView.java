package io.millrace.submit.rest.priority;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.PartitionName;
import io.millrace.model.policy.PartitionReach;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Which priority opens which other partitions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "PartitionReach")
public record PartitionReachView(
        @Schema(description = "Absent: on every cluster that has such partitions") @Nullable
        String cluster,

        @Schema(description = "In which partition a job waits; absent: in any") @Nullable
        String from,

        @Schema(description = "The priority from which on it holds, in points")
        long minPriority,

        @Schema(description = "The other partitions, first choice first")
        List<String> to) {

    static PartitionReachView of(final PartitionReach reach) {
        return new PartitionReachView(
                Objects.toString(reach.cluster(), null),
                Objects.toString(reach.from(), null),
                reach.minPriority(),
                names(reach.to()));
    }

    public static List<String> names(final List<PartitionName> partitions) {
        return partitions.stream().map(PartitionName::value).toList();
    }
}
