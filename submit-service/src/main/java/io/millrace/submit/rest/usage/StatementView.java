package io.millrace.submit.rest.usage;

import io.millrace.model.quota.ProcessorTime;
import io.millrace.submit.domain.usage.Statement;
import io.millrace.submit.domain.usage.StatementSum;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The cost of runs within a period. */
@Schema(name = "Statement")
public record StatementView(
        String period,

        @Schema(description = "Whether every cluster has closed the period, so that the statement is final")
        boolean closed,

        @Schema(description = "Total cost of the closed periods of the same kind before it")
        AmountView opening,

        AmountView cost,
        List<SumView> sums) {

    /** An amount. */
    @Schema(name = "ProcessorTime")
    public record AmountView(
            @Schema(description = "Core-seconds") long coreSeconds,
            @Schema(description = "GPU-seconds") long gpuSeconds) {

        static AmountView of(final ProcessorTime amount) {
            return new AmountView(amount.coreSeconds(), amount.gpuSeconds());
        }
    }

    /** The sum of one user, project and cluster. */
    @Schema(name = "StatementSum")
    public record SumView(
            String user,

            @Schema(description = "Empty: jobs without a project")
            String project,

            String cluster,
            long runs,
            AmountView charged,

            @Schema(description = "Refund for work lost through no fault of the user")
            AmountView refunded) {}

    static StatementView of(final String period, final Statement statement) {
        final ProcessorTime cost =
                statement.sums().stream().map(StatementSum::cost).reduce(ProcessorTime.NONE, ProcessorTime::plus);
        return new StatementView(
                period,
                statement.closed(),
                AmountView.of(statement.opening()),
                AmountView.of(cost),
                statement.sums().stream()
                        .map(sum -> new SumView(
                                sum.user(),
                                sum.project(),
                                sum.cluster(),
                                sum.runs(),
                                AmountView.of(sum.charged()),
                                AmountView.of(sum.refunded())))
                        .toList());
    }
}
