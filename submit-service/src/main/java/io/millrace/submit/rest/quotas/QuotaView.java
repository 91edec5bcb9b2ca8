package io.millrace.submit.rest.quotas;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.policy.QuotaRefused;
import io.millrace.model.policy.Request.QuotaRequested;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaPeriod;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.model.quota.Usage;
import io.millrace.submit.domain.policy.QuotaState;
import java.time.Instant;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A quota on one cluster or on all clusters together, with its usage. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Quota")
public record QuotaView(
        @Schema(description = "*: all clusters together") String cluster,

        @Schema(description = "A user, project:NAME or group:NAME")
        String holder,

        @Schema(description = "Absent for projects and groups") @Nullable
        String user,

        @Schema(description = "Guaranteed cores; absent: never set") @Nullable
        Integer cores,

        @Nullable TermsView terms,

        @Schema(description = "Also the ETag; 0: never set") long version,

        @Nullable String author,
        @Nullable String reason,
        @Nullable Instant changedAt,
        @Nullable UsageView usage,

        @Schema(description = "A requested change that is not in force") @Nullable
        QuotaRequestView request,

        @Schema(description = "The latest refused change") @Nullable
        RefusalView refusal) {

    /** Cores of the holder's jobs. */
    @Schema(name = "Usage")
    public record UsageView(int guaranteedCores, int borrowedCores, int waitingCores, int quotaCores) {
        static UsageView of(final Usage usage) {
            return new UsageView(
                    usage.guaranteedCores(), usage.borrowedCores(), usage.waitingCores(), usage.quotaCores());
        }
    }

    /** Terms of a quota other than cores. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "QuotaTerms")
    public record TermsView(
            @Nullable Integer gpus,
            @Nullable Integer borrowingLimit,
            @Nullable Integer lendingLimit,
            List<PeriodView> periods) {
        static @Nullable TermsView of(final @Nullable QuotaTerms terms) {
            return terms == null
                    ? null
                    : new TermsView(
                            terms.gpus(),
                            terms.borrowingLimit(),
                            terms.lendingLimit(),
                            terms.periods().stream().map(PeriodView::of).toList());
        }
    }

    /** Other values for a period. */
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

    /** A requested change. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "QuotaChange")
    public record QuotaRequestView(
            @Schema(description = "Absent: the quota is removed") @Nullable
            Integer cores,

            @Nullable TermsView terms,
            String author,
            String reason,
            long basedOn,
            Instant requestedAt,

            @Schema(description = "Possibly unintended effects") @Nullable
            List<String> warnings) {
        static QuotaRequestView of(final QuotaRequested requested, final @Nullable List<String> warnings) {
            return new QuotaRequestView(
                    requested.cores(),
                    TermsView.of(requested.terms()),
                    requested.author().value(),
                    requested.reason(),
                    requested.basedOn(),
                    requested.requestedAt(),
                    warnings);
        }
    }

    /** A refused change, e.g. because another change came first. */
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
                shown.request() == null ? null : QuotaRequestView.of(shown.request(), null),
                shown.refusal() == null ? null : RefusalView.of(shown.refusal()));
    }
}
