package io.millrace.submit.store.ledger;

import io.millrace.model.quota.LedgerClosed;
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

/** The last closed week, month and year of each cluster. Times are UTC. */
final class LedgerClosings {

    /** Subquery for joins: the last closed period of each cluster and its end; the parameter is the kind of period. */
    static final String LAST = "(select cluster, max(period) as last, max(until) as until from ledger_closing"
            + " where calendar = ? group by cluster) as closed";

    private final Connection connection;

    LedgerClosings(final Connection connection) {
        this.connection = connection;
    }

    /** The end of the last closed period by cluster. */
    Map<String, Instant> until(final String calendar) throws SQLException {
        final Map<String, Instant> until = new TreeMap<>();
        // Answered from the index, because every batch of entries runs it.
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

    /** As {@link #until}, for every cluster with postings; null: no closed period. */
    Map<String, @Nullable Instant> ofAll(final String calendar) throws SQLException {
        final Map<String, @Nullable Instant> all = new TreeMap<>();
        try (PreparedStatement clusters = connection.prepareStatement("select distinct cluster from ledger_balance");
                ResultSet row = clusters.executeQuery()) { // answered from the index
            while (row.next()) {
                all.put(row.getString(1), null);
            }
        }
        all.putAll(until(calendar));
        return all;
    }

    /** The instant before which all clusters have closed all periods. */
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
