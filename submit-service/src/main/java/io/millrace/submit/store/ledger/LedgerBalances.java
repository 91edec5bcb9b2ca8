package io.millrace.submit.store.ledger;

import io.millrace.model.quota.LedgerEntry;
import io.millrace.submit.domain.usage.StatementSum;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sums by week or month, cluster, owner and project, updated in the transaction of their lines, so that statements need no lines.
 * Sums of closed periods are final.
 */
final class LedgerBalances {

    /** In the order of the periods of an entry; a year is the sum of its months. */
    private static final List<String> CALENDARS = List.of("week", "month");

    private static final String INTO = "insert into ledger_balance (calendar, period, cluster, owner, project, runs,"
            + " charged_core_seconds, charged_gpu_seconds, refunded_core_seconds, refunded_gpu_seconds) ";

    private static final String ADD = " on duplicate key update runs = runs + values(runs),"
            + " charged_core_seconds = charged_core_seconds + values(charged_core_seconds),"
            + " charged_gpu_seconds = charged_gpu_seconds + values(charged_gpu_seconds),"
            + " refunded_core_seconds = refunded_core_seconds + values(refunded_core_seconds),"
            + " refunded_gpu_seconds = refunded_gpu_seconds + values(refunded_gpu_seconds)";

    /** The driver sends batched statements one by one; one statement with many rows needs a third of the time. */
    private static final int ROWS_OF_A_STATEMENT = 500;

    private static final String DROP = "delete balance from ledger_balance as balance left join " + LedgerClosings.LAST
            + " using (cluster) where balance.calendar = ? and (closed.last is null or balance.period > closed.last)";

    private static final String COUNT = INTO
            + "select ?, l.%1$s, l.cluster, l.owner, l.project,"
            + " sum(l.kind = 'CHARGE'), sum(if(l.kind = 'CHARGE', l.core_seconds, 0)),"
            + " sum(if(l.kind = 'CHARGE', l.gpu_seconds, 0)), sum(if(l.kind = 'REFUND', l.core_seconds, 0)),"
            + " sum(if(l.kind = 'REFUND', l.gpu_seconds, 0)) from ledger_line l left join " + LedgerClosings.LAST
            + " using (cluster) where l.booked >= ? and (closed.until is null or l.booked >= closed.until)"
            + " group by l.%1$s, l.cluster, l.owner, l.project";

    /** A fixed order, which prevents deadlocks between instances. */
    private static final Comparator<Row> IN_ORDER = Comparator.comparing(Row::calendar)
            .thenComparing(Row::period)
            .thenComparing(Row::cluster)
            .thenComparing(Row::user)
            .thenComparing(Row::project);

    private record Row(String calendar, String period, String cluster, String user, String project) {}

    private final Connection connection;

    LedgerBalances(final Connection connection) {
        this.connection = connection;
    }

    /** Adds new entries to the sums, except to sums of closed periods. */
    void add(final Collection<LedgerEntry> entries) throws SQLException {
        final Map<Row, StatementSum> sums = new TreeMap<>(IN_ORDER);
        for (int kind = 0; kind < CALENDARS.size(); kind++) {
            final Map<String, Instant> closed = new LedgerClosings(connection).until(CALENDARS.get(kind));
            for (final LedgerEntry entry : entries) {
                final @Nullable Instant until = closed.get(entry.cluster().value());
                if (until == null || !entry.counts().isBefore(until)) {
                    final StatementSum sum = StatementSum.of(entry);
                    sums.merge(row(entry.periods().get(kind), kind, sum), sum, StatementSum::plus);
                }
            }
        }
        final List<Map.Entry<Row, StatementSum>> rows = List.copyOf(sums.entrySet());
        for (int from = 0; from < rows.size(); from += ROWS_OF_A_STATEMENT) {
            write(rows.subList(from, Math.min(rows.size(), from + ROWS_OF_A_STATEMENT)));
        }
    }

    private void write(final List<Map.Entry<Row, StatementSum>> rows) throws SQLException {
        final String sql = INTO + "values "
                + String.join(", ", Collections.nCopies(rows.size(), "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) + ADD;
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            int at = 1;
            for (final Map.Entry<Row, StatementSum> row : rows) {
                at = set(insert, at, row.getKey(), row.getValue());
            }
            insert.executeUpdate();
        }
    }

    /** Recomputes the sums of open periods from the lines. */
    void count() throws SQLException {
        for (final String calendar : CALENDARS) {
            try (PreparedStatement delete = connection.prepareStatement(DROP)) {
                delete.setString(1, calendar);
                delete.setString(2, calendar);
                delete.executeUpdate();
            }
            try (PreparedStatement insert = connection.prepareStatement(COUNT.formatted(calendar))) {
                insert.setString(1, calendar);
                insert.setString(2, calendar);
                insert.setObject(3, LedgerWriter.utc(new LedgerClosings(connection).firstOpen(calendar)));
                insert.executeUpdate();
            }
        }
    }

    private static int set(final PreparedStatement insert, final int from, final Row row, final StatementSum sum)
            throws SQLException {
        int at = from;
        insert.setString(at++, row.calendar());
        insert.setString(at++, row.period());
        insert.setString(at++, row.cluster());
        insert.setString(at++, row.user());
        insert.setString(at++, row.project());
        insert.setLong(at++, sum.runs());
        insert.setLong(at++, sum.charged().coreSeconds());
        insert.setLong(at++, sum.charged().gpuSeconds());
        insert.setLong(at++, sum.refunded().coreSeconds());
        insert.setLong(at++, sum.refunded().gpuSeconds());
        return at;
    }

    private static Row row(final String period, final int kind, final StatementSum sum) {
        return new Row(CALENDARS.get(kind), period, sum.cluster(), sum.user(), sum.project());
    }
}
