package io.millrace.submit.store.ledger;

import io.millrace.model.policy.LedgerClosed;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Up to when the books of each cluster are closed, by week, month and year. Times are UTC. */
final class LedgerClosings {

    /** The last closed period of each cluster, and the first instant behind it; to be joined, with the calendar as its parameter. */
    static final String LAST = "(select cluster, max(period) as last, max(until) as until from ledger_closing"
            + " where calendar = ? group by cluster) as closed";

    private final Connection connection;

    LedgerClosings(final Connection connection) {
        this.connection = connection;
    }

    /** The first instant that is still open, of each cluster that has any closed week, month or year. */
    Map<String, Instant> until(final String calendar) throws SQLException {
        final Map<String, Instant> until = new TreeMap<>();
        // By the index alone, one step a cluster: each batch of entries asks.
        try (PreparedStatement select = connection.prepareStatement(
                "select cluster, max(until) from ledger_closing where calendar = ? group by cluster")) {
            select.setString(1, calendar);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    until.put(
                            row.getString(1),
                            row.getObject(2, LocalDateTime.class).toInstant(ZoneOffset.UTC));
                }
            }
        }
        return until;
    }

    /** The same of every cluster on which anything was booked; null: never closed yet. */
    Map<String, @Nullable Instant> ofAll(final String calendar) throws SQLException {
        final Map<String, @Nullable Instant> all = new TreeMap<>();
        try (PreparedStatement clusters = connection.prepareStatement("select distinct cluster from ledger_balance");
                ResultSet row = clusters.executeQuery()) { // by the index alone, one step a cluster
            while (row.next()) {
                all.put(row.getString(1), null);
            }
        }
        all.putAll(until(calendar));
        return all;
    }

    /** Before it everything is closed, on all clusters. */
    Instant firstOpen(final String calendar) throws SQLException {
        Instant first = Instant.MAX;
        for (final @Nullable Instant until : ofAll(calendar).values()) {
            if (until == null) {
                return Instant.EPOCH;
            }
            first = until.isBefore(first) ? until : first;
        }
        return first.equals(Instant.MAX) ? Instant.EPOCH : first;
    }

    void add(final LedgerClosed closing, final String calendar) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into ledger_closing (cluster, calendar, until, period, closed) values (?, ?, ?, ?, ?)")) {
            insert.setString(1, closing.cluster().value());
            insert.setString(2, calendar);
            insert.setObject(3, LedgerWriter.utc(closing.periodEnd()));
            insert.setString(4, closing.period());
            insert.setObject(5, LedgerWriter.utc(closing.closedAt()));
            insert.executeUpdate();
        }
    }
}
