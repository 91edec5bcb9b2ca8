package io.millrace.submit.rest.clusters;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.ClusterAvailability;
import java.time.Instant;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** Whether Millrace places jobs on a cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Availability")
public record AvailabilityView(
        @Schema(
                enumeration = {"open", "drained", "fenced", "returning"},
                description = "drained: no job is placed there, waiting jobs move, running jobs end."
                        + " fenced: an operator declared that nothing runs there; its jobs are placed elsewhere."
                        + " returning: undrained after a fence; open when its agent has cancelled the replaced jobs")
        String status,

        @Schema(description = "The operator; absent if it was never changed") @Nullable
        String author,

        @Nullable String reason,
        @Nullable Instant since,

        @Schema(description = "Counts the changes; 0 if it was never changed")
        long version) {

    private static final AvailabilityView OPEN = new AvailabilityView("open", null, null, null, 0);

    static AvailabilityView of(final @Nullable ClusterAvailability decided) {
        return decided == null
                ? OPEN
                : new AvailabilityView(
                        decided.status().name().toLowerCase(Locale.ROOT),
                        decided.author().value(),
                        decided.reason(),
                        decided.since(),
                        decided.version());
    }
}
