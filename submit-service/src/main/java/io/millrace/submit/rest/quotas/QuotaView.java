package io.millrace.submit.rest.quotas;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaHolder;
import io.millrace.model.policy.QuotaPeriod;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.QuotaTerms;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.policy.Usage;
import io.millrace.submit.domain.policy.QuotaState;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A quota on a cluster or on all together, and what is used of it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Quota")
public record QuotaView(
        @Schema(description = "*: all clusters together") String cluster,

        @Schema(description = "A user, project:NAME or group:NAME")
        String holder,

        @Schema(description = "Absent if a project or group holds it") @Nullable
        String user,

        @Schema(description = "Guaranteed cores; absent: none was ever set") @Nullable
        Integer cores,

        @Nullable TermsView terms,

        @Schema(description = "Also the ETag; 0: none was ever set")
        long version,

        @Nullable String author,
        @Nullable String reason,
        @Nullable Instant changedAt,
        @Nullable UsageView usage,

        @Schema(description = "A change asked for that is not in force") @Nullable
        QuotaRequestView request,

        @Schema(description = "The newest change that was refused") @Nullable
        RefusalView refusal) {

    /** What the user's jobs occupy now. */
    @Schema(name = "Usage")
    public record UsageView(int guaranteedCores, int borrowedCores, int waitingCores, int quotaCores) {
        static UsageView of(final Usage usage) {
            return new UsageView(
                    usage.guaranteedCores(), usage.borrowedCores(), usage.waitingCores(), usage.quotaCores());
        }
    }

    /** What a quota says beyond its cores. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "QuotaTerms")
    public record TermsView(
            @Nullable Integer gpus,
            @Nullable Integer mayBorrow,
            @Nullable Integer mayLend,
            List<PeriodView> periods) {
        static @Nullable TermsView of(final @Nullable QuotaTerms terms) {
            return terms == null
                    ? null
                    : new TermsView(
                            terms.gpus(),
                            terms.mayBorrow(),
                            terms.mayLend(),
                            terms.periods().stream().map(PeriodView::of).toList());
        }
    }

    /** Other figures for a while. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "QuotaPeriod")
    public record PeriodView(
            Instant from,
            Instant until,
            int cores,
            @Nullable Integer gpus) {
        static PeriodView of(final QuotaPeriod period) {
            return new PeriodView(period.from(), period.until(), period.cores(), period.gpus());
        }
    }

    /** A change asked for. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "QuotaChange")
    public record QuotaRequestView(
            int cores,
            @Nullable TermsView terms,
            String author,
            String reason,
            long basedOn,
            Instant requestedAt,

            @Schema(description = "What is allowed and perhaps not meant") @Nullable
            List<String> warnings) {
        static QuotaRequestView of(final QuotaRequested asked, final @Nullable List<String> warnings) {
            return new QuotaRequestView(
                    asked.cores(),
                    TermsView.of(asked.terms()),
                    asked.author().value(),
                    asked.reason(),
                    asked.basedOn(),
                    asked.requestedAt(),
                    warnings);
        }
    }

    /** A change that was refused, e.g. because another one came first. */
    @Schema(name = "QuotaRefusal")
    public record RefusalView(QuotaRequestView request, String reason, Instant refusedAt) {
        static RefusalView of(final QuotaRefused refused) {
            return new RefusalView(QuotaRequestView.of(refused.request(), null), refused.reason(), refused.refusedAt());
        }
    }

    static QuotaView of(final QuotaState shown) {
        final Quota quota = shown.inForce();
        final QuotaHolder holder = shown.holder();
        return new QuotaView(
                shown.cluster() == null ? Quota.EVERYWHERE : shown.cluster().value(),
                holder.toString(),
                holder.kind() == QuotaHolder.Kind.USER ? holder.name() : null,
                quota == null ? null : quota.cores(),
                quota == null ? null : TermsView.of(quota.terms()),
                shown.version(),
                quota == null ? null : quota.author().value(),
                quota == null ? null : quota.reason(),
                quota == null ? null : quota.changedAt(),
                shown.usage() == null ? null : UsageView.of(shown.usage()),
                shown.asked() == null ? null : QuotaRequestView.of(shown.asked(), null),
                shown.refused() == null ? null : RefusalView.of(shown.refused()));
    }
}
