package io.millrace.submit.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.Request.QuotaAsked;
import io.millrace.model.policy.Usage;
import io.millrace.submit.domain.ShownQuota;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A user's quota on a cluster, and what is used of it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Quota")
public record QuotaView(
        String cluster,
        String user,

        @Schema(description = "Guaranteed cores; absent: none was ever set") @Nullable
        Integer cores,

        @Schema(description = "Also the ETag; 0: none was ever set")
        long version,

        @Nullable String author,
        @Nullable String reason,
        @Nullable Instant changed,
        @Nullable UsageView usage,

        @Schema(description = "A change asked for that is not in force") @Nullable
        AskedView asked) {

    /** What the user's jobs occupy now. */
    @Schema(name = "Usage")
    public record UsageView(int guaranteedCores, int borrowedCores, int waitingCores, int quotaCores) {
        static UsageView of(final Usage usage) {
            return new UsageView(
                    usage.guaranteedCores(), usage.borrowedCores(), usage.waitingCores(), usage.quotaCores());
        }
    }

    /** A change asked for. */
    @Schema(name = "QuotaChange")
    public record AskedView(int cores, String author, String reason, long basedOn, Instant asked) {
        static AskedView of(final QuotaAsked asked) {
            return new AskedView(asked.cores(), asked.author().value(), asked.reason(), asked.basedOn(), asked.asked());
        }
    }

    static QuotaView of(final ShownQuota shown) {
        final Quota quota = shown.inForce();
        return new QuotaView(
                shown.cluster().value(),
                shown.user().value(),
                quota == null ? null : quota.cores(),
                quota == null ? 0 : quota.version(),
                quota == null ? null : quota.author().value(),
                quota == null ? null : quota.reason(),
                quota == null ? null : quota.changed(),
                shown.usage() == null ? null : UsageView.of(shown.usage()),
                shown.asked() == null ? null : AskedView.of(shown.asked()));
    }
}
