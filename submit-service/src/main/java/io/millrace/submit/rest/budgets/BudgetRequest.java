package io.millrace.submit.rest.budgets;

import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.policy.ChangeBudget;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** All that is set for a holder; what is omitted does not apply. */
@Schema(name = "BudgetRequest")
public record BudgetRequest(
        @Schema(description = "One per kind of period; empty or absent: no budget of its own") @Nullable
        List<PeriodRequest> budgets,

        @Schema(
                minimum = "0",
                description =
                        "Core-hours that the running jobs of the user, or of each member of the group, may request"
                                + " together; absent: no limit of its own")
        @Nullable
        Double limitCoreHours,

        @Schema(description = "Kept for audit; required for a change") @Nullable
        String reason) {

    private static final double MOST_HOURS = 1e12;

    /** An amount for each week, month or year. */
    @Schema(name = "BudgetPeriodRequest")
    public record PeriodRequest(
            @Schema(
                    required = true,
                    enumeration = {"week", "month", "year"})
            @Nullable
            String period,

            @Schema(minimum = "0") @Nullable Double coreHours,
            @Schema(minimum = "0") @Nullable Double gpuHours,

            @Schema(
                    enumeration = {"at-start", "daily"},
                    description = "When it is available; absent: at-start")
            @Nullable
            String refill,

            @Schema(minimum = "0", maximum = "100", description = "Percent that passes to the next period") @Nullable
            Integer carryOver,

            @Schema(
                    enumeration = {"hold", "borrow", "last"},
                    description = "Effect on jobs beyond it; absent: hold")
            @Nullable
            String exhausted,

            @Schema(description = "Whether running jobs are cancelled once it is spent") @Nullable
            Boolean cancelRunning) {

        private BudgetGrant read(final String field) {
            try {
                return new BudgetGrant(
                        constant(field + ".period", PeriodKind.class, period),
                        seconds(field + ".coreHours", coreHours),
                        seconds(field + ".gpuHours", gpuHours),
                        refill == null ? Refill.AT_START : constant(field + ".refill", Refill.class, refill),
                        carryOver == null ? 0 : carryOver,
                        exhausted == null ? Exhausted.HOLD : constant(field + ".exhausted", Exhausted.class, exhausted),
                        Boolean.TRUE.equals(cancelRunning));
            } catch (final IllegalArgumentException e) {
                throw RequestRefused.invalid(field, String.valueOf(e.getMessage()));
            }
        }

        private static <E extends Enum<E>> E constant(
                final String field, final Class<E> type, final @Nullable String word) {
            for (final E one : type.getEnumConstants()) {
                if (word(one).equals(word)) {
                    return one;
                }
            }
            throw RequestRefused.invalid(field, "must be one of " + String.join(", ", words(type)) + ", got " + word);
        }

        private static <E extends Enum<E>> List<String> words(final Class<E> type) {
            return List.of(type.getEnumConstants()).stream()
                    .map(PeriodRequest::word)
                    .toList();
        }

        static String word(final Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static @Nullable Long seconds(final String field, final @Nullable Double hours) {
        if (hours == null) {
            return null;
        }
        if (!(hours >= 0 && hours <= MOST_HOURS)) {
            throw RequestRefused.invalid(field, "must be between 0 and 1e12, got " + hours);
        }
        return Math.round(hours * 3600);
    }

    /** @param holder null: the default */
    ChangeBudget.BudgetChange change(final @Nullable QuotaHolder holder) {
        final List<PeriodRequest> all = budgets == null ? List.of() : budgets;
        return new ChangeBudget.BudgetChange(
                holder,
                IntStream.range(0, all.size())
                        .mapToObj(i -> all.get(i).read("budgets." + i))
                        .toList(),
                seconds("limitCoreHours", limitCoreHours));
    }
}
