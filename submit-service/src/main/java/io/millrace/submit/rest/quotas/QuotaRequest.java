package io.millrace.submit.rest.quotas;

import io.millrace.model.quota.QuotaPeriod;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.policy.ChangeQuota;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.stream.IntStream;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A complete requested quota; omitted limits do not apply. */
@Schema(name = "QuotaRequest")
public record QuotaRequest(
        @Schema(required = true, minimum = "0") @Nullable Integer cores,

        @Schema(required = true) @Nullable String reason,

        @Schema(minimum = "0", description = "Guaranteed GPUs; absent: GPUs are not limited") @Nullable
        Integer gpus,

        @Schema(minimum = "0", description = "Maximum cores in use beyond the quota") @Nullable
        Integer borrowingLimit,

        @Schema(minimum = "0", description = "Cores of the quota that others may use while they are idle") @Nullable
        Integer lendingLimit,

        @Schema(description = "Periods with other values; they must not overlap") @Nullable
        List<PeriodRequest> periods) {

    /** Other values for a period. */
    @Schema(name = "QuotaPeriodRequest")
    public record PeriodRequest(
            @Schema(required = true, description = "Time with zone, e.g. 2026-03-09T00:00:00+01:00") @Nullable
            String from,

            @Schema(required = true) @Nullable String until,

            @Schema(required = true, minimum = "0") @Nullable
            Integer cores,

            @Schema(minimum = "0") @Nullable Integer gpus) {

        private QuotaPeriod read(final String field) {
            final Instant begin = instant(field + ".from", from);
            final Instant end = instant(field + ".until", until);
            if (!begin.isBefore(end)) {
                throw RequestRefused.invalid(field + ".until", "must be after 'from' (" + from + "), got " + until);
            }
            return new QuotaPeriod(
                    begin, end, ChangeQuota.figure(field + ".cores", cores), optional(field + ".gpus", gpus));
        }

        private static Instant instant(final String field, final @Nullable String text) {
            try {
                return OffsetDateTime.parse(text == null ? "" : text).toInstant();
            } catch (final DateTimeParseException e) {
                throw RequestRefused.invalid(
                        field, "must be a time with zone such as 2026-03-09T00:00:00+01:00, got " + text);
            }
        }
    }

    /** @throws RequestRefused naming the invalid field */
    QuotaTerms terms() {
        final List<PeriodRequest> requested = periods == null ? List.of() : periods;
        final List<QuotaPeriod> read = IntStream.range(0, requested.size())
                .mapToObj(i -> requested.get(i).read("periods." + i))
                .toList();
        final Integer counted = optional("gpus", gpus);
        final Integer borrow = optional("borrowingLimit", borrowingLimit);
        final Integer lend = optional("lendingLimit", lendingLimit);
        try {
            return new QuotaTerms(counted, borrow, lend, read);
        } catch (final IllegalArgumentException e) {
            throw RequestRefused.invalid("periods", String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Integer optional(final String field, final @Nullable Integer figure) {
        return figure == null ? null : Integer.valueOf(ChangeQuota.figure(field, figure));
    }
}
