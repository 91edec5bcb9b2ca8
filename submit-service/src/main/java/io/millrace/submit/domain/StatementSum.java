package io.millrace.submit.domain;

import io.millrace.model.policy.LedgerEntry.Kind;
import io.millrace.model.policy.ProcessorTime;

/**
 * What a user's runs for a project cost on a cluster within a period.
 *
 * @param project empty: jobs that named none
 * @param runs how many were charged
 */
public record StatementSum(
        String user, String project, String cluster, long runs, ProcessorTime charged, ProcessorTime refunded) {

    public static StatementSum of(
            final String user,
            final String project,
            final String cluster,
            final Kind kind,
            final long postings,
            final ProcessorTime amount) {
        return switch (kind) {
            case CHARGE -> new StatementSum(user, project, cluster, postings, amount, ProcessorTime.NONE);
            case REFUND -> new StatementSum(user, project, cluster, 0, ProcessorTime.NONE, amount);
        };
    }

    public StatementSum plus(final StatementSum more) {
        return new StatementSum(
                user, project, cluster, runs + more.runs, charged.plus(more.charged), refunded.plus(more.refunded));
    }

    /** What the user bears. */
    public ProcessorTime cost() {
        return charged.minus(refunded);
    }
}
