package io.millrace.submit.domain.usage;

import io.millrace.model.policy.LedgerEntry;
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

    /** What one run adds. */
    public static StatementSum of(final LedgerEntry entry) {
        return new StatementSum(
                entry.user().value(),
                entry.project() == null ? "" : entry.project().value(),
                entry.cluster().value(),
                entry.postings().stream()
                        .filter(posting -> posting.kind() == Kind.CHARGE)
                        .count(),
                amount(entry, Kind.CHARGE),
                amount(entry, Kind.REFUND));
    }

    private static ProcessorTime amount(final LedgerEntry entry, final Kind kind) {
        return entry.postings().stream()
                .filter(posting -> posting.kind() == kind)
                .map(LedgerEntry.Posting::amount)
                .reduce(ProcessorTime.NONE, ProcessorTime::plus);
    }

    /** With what more runs of the same user, project and cluster cost. */
    public StatementSum plus(final StatementSum more) {
        return new StatementSum(
                user, project, cluster, runs + more.runs, charged.plus(more.charged), refunded.plus(more.refunded));
    }

    /** What the user bears. */
    public ProcessorTime cost() {
        return charged.minus(refunded);
    }
}
