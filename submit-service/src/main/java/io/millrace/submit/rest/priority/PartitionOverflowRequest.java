package io.millrace.submit.rest.priority;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.rest.Parameters;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A requested rule that opens other partitions from a priority on. */
@Schema(name = "PartitionOverflowRequest")
public record PartitionOverflowRequest(
        @Schema(description = "Absent: every cluster with these partitions") @Nullable
        String cluster,

        @Schema(description = "Partition of the waiting job; absent: any") @Nullable
        String from,

        @Schema(required = true, description = "Lowest priority to which the rule applies, in points") @Nullable
        Long minPriority,

        @Schema(required = true, description = "The other partitions in order of preference", examples = "[\"fast\"]")
        @Nullable
        List<@Nullable String> to) {

    /** @throws RequestRefused naming the invalid field */
    static List<PartitionOverflow> read(final @Nullable List<@Nullable PartitionOverflowRequest> requested) {
        final List<@Nullable PartitionOverflowRequest> all = requested == null ? List.of() : requested;
        return IntStream.range(0, all.size())
                .mapToObj(i -> read("overflow." + i, all.get(i)))
                .toList();
    }

    private static PartitionOverflow read(final String field, final @Nullable PartitionOverflowRequest body) {
        if (body == null || body.minPriority == null) {
            throw RequestRefused.invalid(
                    field + ".minPriority", "is missing: give the lowest priority that opens the partitions");
        }
        final ClusterId on =
                body.cluster == null ? null : Parameters.read(field + ".cluster", body.cluster, ClusterId::of);
        final PartitionName waitsIn = body.from == null ? null : partition(field + ".from", body.from);
        final List<PartitionName> others = body.to == null
                ? List.of()
                : body.to.stream().map(name -> partition(field + ".to", name)).toList();
        try {
            return new PartitionOverflow(on, waitsIn, body.minPriority, others);
        } catch (final IllegalArgumentException e) {
            throw RequestRefused.invalid(field, "is invalid: " + e.getMessage());
        }
    }

    private static PartitionName partition(final String field, final @Nullable String name) {
        return Parameters.read(field, name == null ? "" : name, PartitionName::of);
    }
}
