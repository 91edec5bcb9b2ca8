package io.millrace.submit.rest.budgets;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.UserName;
import io.millrace.model.policy.Request.BudgetRequested;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetSet;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.submit.domain.policy.BudgetBalances;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The budgets and the limit of processor time of a holder, and what is left of them. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Budget")
public record BudgetView(
        @Schema(description = "A user, project:NAME, group:NAME, or * for the default of users")
        String holder,

        @Schema(description = "Also the ETag; 0: never set") long version,

        @Schema(description = "file: from the files of quota-service") @Nullable
        String author,

        @Nullable String reason,
        @Nullable Instant changedAt,

        @Schema(description = "Whether the budgets are the default ones, because the user has none")
        boolean isDefault,

        List<PeriodView> budgets,

        @Schema(
                description =
                        "Core-hours that the running jobs of the user, or of each member of the group, may request"
                                + " together; absent: no limit of its own")
        @Nullable
        Double limitCoreHours,

        @Schema(
                description = "The limit that applies to a user: the own one, else the highest of the groups, else the"
                        + " default; absent: none, or not a user")
        @Nullable
        Double appliedLimitCoreHours,

        @Schema(description = "Core-hours that the running jobs of the user request; only for users") @Nullable
        Double requestedCoreHours) {

    private static final double HOUR_S = 3600;

    /** Core-hours and GPU-hours; absent: not limited. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "BudgetAmount")
    public record AmountView(
            @Nullable Double coreHours, @Nullable Double gpuHours) {
        private static AmountView of(final BudgetGrant grant, final ProcessorTime time) {
            return new AmountView(
                    grant.coreSeconds() == null ? null : hours(time.coreSeconds()),
                    grant.gpuSeconds() == null ? null : hours(time.gpuSeconds()));
        }
    }

    /** A budget in its current period. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "BudgetPeriod")
    public record PeriodView(
            @Schema(enumeration = {"week", "month", "year"}) String period,
            @Schema(examples = "2026-11") String label,
            Instant endsAt,
            @Nullable Double coreHours,
            @Nullable Double gpuHours,
            @Schema(enumeration = {"at-start", "daily"}) String refill,
            int carryOver,

            @Schema(enumeration = {"hold", "borrow", "last"})
            String exhausted,

            boolean cancelRunning,

            @Schema(description = "What may be spent by now, with what was carried over")
            AmountView available,

            @Schema(description = "By ended runs") AmountView spent,

            @Schema(description = "By running jobs, until their ends")
            AmountView reserved,

            @Schema(description = "Negative if it is overdrawn")
            AmountView left) {

        private static PeriodView of(final BudgetBalances.Balance balance) {
            final BudgetGrant grant = balance.grant();
            final ProcessorTime taken = balance.spent().plus(balance.reserved());
            return new PeriodView(
                    BudgetRequest.PeriodRequest.word(grant.per()),
                    balance.period().label(),
                    balance.end(),
                    grant.coreSeconds() == null ? null : hours(grant.coreSeconds()),
                    grant.gpuSeconds() == null ? null : hours(grant.gpuSeconds()),
                    BudgetRequest.PeriodRequest.word(grant.refill()),
                    grant.carryOverPercent(),
                    BudgetRequest.PeriodRequest.word(grant.exhausted()),
                    grant.cancelsRunning(),
                    AmountView.of(grant, balance.available()),
                    AmountView.of(grant, balance.spent()),
                    AmountView.of(grant, balance.reserved()),
                    AmountView.of(grant, balance.available().minus(taken)));
        }
    }

    /** A requested change. */
    @Schema(name = "BudgetRequested")
    public record RequestedView(String holder, String author, String reason, long basedOn, Instant requestedAt) {
        static RequestedView of(final BudgetRequested request) {
            return new RequestedView(
                    name(request.holder()),
                    request.author().value(),
                    request.reason(),
                    request.basedOn(),
                    request.requestedAt());
        }
    }

    private static String name(final @Nullable QuotaHolder holder) {
        return holder == null ? Quota.EVERYWHERE : holder.toString();
    }

    /** @param holder null: the default, which has no balances */
    static BudgetView of(final @Nullable QuotaHolder holder, final BudgetBalances all) {
        final @Nullable BudgetSet own = all.set(holder).orElse(null);
        final @Nullable BudgetSet drawn = holder == null ? own : all.of(holder).orElse(null);
        final @Nullable UserName user =
                holder != null && holder.kind() == QuotaHolder.Kind.USER ? UserName.of(holder.name()) : null;
        final Long limit = own == null ? null : own.limitCoreSeconds();
        return new BudgetView(
                name(holder),
                own == null ? 0 : own.version(),
                own == null ? null : own.author().value(),
                own == null ? null : own.reason(),
                own == null ? null : own.changedAt(),
                drawn != null && !Objects.equals(drawn.holder(), holder),
                drawn == null
                        ? List.of()
                        : all.balances(holder, drawn).stream()
                                .map(PeriodView::of)
                                .toList(),
                limit == null ? null : hours(limit),
                user == null
                        ? null
                        : all.limit_core_s(user).map(BudgetView::hours).orElse(null),
                user == null ? null : hours(all.requested_core_s(user)));
    }

    static double hours(final long seconds) {
        return Math.round(seconds / HOUR_S * 100) / 100.0;
    }
}
