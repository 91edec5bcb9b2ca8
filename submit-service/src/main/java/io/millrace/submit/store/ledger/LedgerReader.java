package io.millrace.submit.store.ledger;

import io.millrace.model.quota.ProcessorTime;
import io.millrace.submit.domain.usage.Statement;
import io.millrace.submit.domain.usage.StatementQuery;
import io.millrace.submit.domain.usage.StatementSum;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Computes statements from balances. Times are UTC. */
public final class LedgerReader {

    /** Maximum difference between local and UTC dates. */
    private static final int DAY_OF_ZONES = 1;

    private static final int ROWS_AT_A_TIME = 2000;

    private static final Comparator<StatementSum> BY_OWNER_PROJECT_CLUSTER = Comparator.comparing(StatementSum::user)
            .thenComparing(StatementSum::project)
            .thenComparing(StatementSum::cluster);

    private final Connection connection;

    public LedgerReader(final Connection connection) {
        this.connection = connection;
    }

    public Statement statement(final StatementQuery query) throws SQLException {
        return new Statement(sums(query), opening(query), isClosed(query));
    }

    /** Sums ordered by owner, project and cluster. Added in memory, because the database would create a temporary table. */
    private List<StatementSum> sums(final StatementQuery query) throws SQLException {
        final String sql = "select owner, project, cluster, runs, charged_core_seconds, charged_gpu_seconds,"
                + " refunded_core_seconds, refunded_gpu_seconds from ledger_balance where calendar = ? and period"
                + " between ? and ?"
                + conditions(query);
        final Map<List<String>, StatementSum> sums = new HashMap<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setFetchSize(ROWS_AT_A_TIME);
            select.setString(1, query.balances());
            select.setString(2, query.firstBalance());
            select.setString(3, query.lastBalance());
            bind(select, 4, query);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    final StatementSum sum = new StatementSum(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            row.getLong(4),
                            new ProcessorTime(row.getLong(5), row.getLong(6)),
                            new ProcessorTime(row.getLong(7), row.getLong(8)));
                    sums.merge(List.of(sum.user(), sum.project(), sum.cluster()), sum, StatementSum::plus);
                }
            }
        }
        return sums.values().stream().sorted(BY_OWNER_PROJECT_CLUSTER).toList();
    }

    /** Total cost of the closed periods of the same kind before this one. */
    private ProcessorTime opening(final StatementQuery query) throws SQLException {
        final String sql = "select sum(charged_core_seconds - refunded_core_seconds),"
                + " sum(charged_gpu_seconds - refunded_gpu_seconds)"
                + " from ledger_balance join (select cluster, max(period) as last from ledger_closing"
                + " where calendar = ? group by cluster) as closed using (cluster)"
                + " where calendar = ? and period < ? and period <= closed.last" + conditions(query);
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, query.balances());
            select.setString(2, query.balances());
            select.setString(3, query.firstBalance());
            bind(select, 4, query);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? new ProcessorTime(row.getLong(1), row.getLong(2)) : ProcessorTime.NONE;
            }
        }
    }

    /** Whether every cluster with postings has closed the period. */
    private boolean isClosed(final StatementQuery query) throws SQLException {
        final Map<String, @Nullable Instant> closed = new LedgerClosings(connection).ofAll(query.column());
        final Instant last = query.next().minusDays(DAY_OF_ZONES).atStartOfDay().toInstant(ZoneOffset.UTC);
        return !closed.isEmpty() && closed.values().stream().allMatch(until -> until != null && until.isAfter(last));
    }

    private static String conditions(final StatementQuery query) {
        return (query.user() == null ? "" : " and owner = ?") + (query.project() == null ? "" : " and project = ?");
    }

    private static void bind(final PreparedStatement select, final int from, final StatementQuery query)
            throws SQLException {
        int at = from;
        if (query.user() != null) {
            select.setString(at++, query.user().value());
        }
        if (query.project() != null) {
            select.setString(at, query.project().value());
        }
    }
}
