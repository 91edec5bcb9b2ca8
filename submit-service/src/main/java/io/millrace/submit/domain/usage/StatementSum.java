package io.millrace.submit.domain.usage;

import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Kind;
import io.millrace.model.quota.ProcessorTime;

/**
 * The cost of a user's runs for a project on a cluster within a period.
 *
 * @param project empty: jobs without a project
 * @param runs number of charged runs
 */
public record StatementSum(
        String user, String project, String cluster, long runs, ProcessorTime charged, ProcessorTime refunded) {

    /** The sum of one run. */
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

    /** Adds the sum of more runs of the same user, project and cluster. */
    public StatementSum plus(final StatementSum more) {
        return new StatementSum(
                user, project, cluster, runs + more.runs, charged.plus(more.charged), refunded.plus(more.refunded));
    }

    /** Charges minus refunds. */
    public ProcessorTime cost() {
        return charged.minus(refunded);
    }
}
