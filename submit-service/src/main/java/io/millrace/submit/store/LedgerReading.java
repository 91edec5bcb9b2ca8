package io.millrace.submit.store;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.ProcessorTime;
import io.millrace.submit.domain.Statement;
import io.millrace.submit.domain.StatementQuestion;
import io.millrace.submit.domain.StatementSum;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Answers for statements: closed periods from their balances, open ones from the lines. Times are UTC. */
final class LedgerReading {

    /** By which local date and UTC can differ; the period's label decides, the instants only lead the index there. */
    private static final int DAY_OF_ZONES = 1;

    /** Up to when the books of each cluster are closed, by a kind of period. */
    static final String CLOSED =
            "select cluster, max(until) as until from ledger_closing where calendar = ? group by cluster";

    private static final String CHARGED = "sum(if(l.kind = 'CHARGE', %1$s, 0)), sum(if(l.kind = 'REFUND', %1$s, 0))";

    private static final String BY_WHOM = " group by owner, project, cluster";

    private final Connection connection;

    LedgerReading(final Connection connection) {
        this.connection = connection;
    }

    Statement statement(final StatementQuestion question) throws SQLException {
        final Map<String, @Nullable Instant> balanced = closed(question.balances());
        return new Statement(
                sums(question, balanced),
                opening(question),
                isClosed(
                        question,
                        question.column().equals(question.balances()) ? balanced : closed(question.column())));
    }

    /** Sums by owner, project and cluster, in this order: balances, and the lines that are in none. */
    private List<StatementSum> sums(final StatementQuestion question, final Map<String, @Nullable Instant> balanced)
            throws SQLException {
        final Instant from = firstOpen(question, balanced);
        final Map<String, Instant> ahead = new TreeMap<>();
        balanced.forEach((cluster, until) -> {
            if (until != null && until.isAfter(from)) {
                ahead.put(cluster, until);
            }
        });
        // Grouped within as well: the union of all lines would not fit into memory.
        final String sql = "select owner, project, cluster, sum(runs), sum(charged_core_s), sum(charged_gpu_s),"
                + " sum(refunded_core_s), sum(refunded_gpu_s) from ("
                + "select owner, project, cluster, sum(runs) as runs, sum(charged_core_s) as charged_core_s,"
                + " sum(refunded_core_s) as refunded_core_s, sum(charged_gpu_s) as charged_gpu_s,"
                + " sum(refunded_gpu_s) as refunded_gpu_s"
                + " from ledger_balance where calendar = ? and period >= ? and period <= ?" + whose(question, "")
                + BY_WHOM + " union all "
                + "select l.owner, l.project, l.cluster, sum(l.kind = 'CHARGE'), " + CHARGED.formatted("l.core_s")
                + ", " + CHARGED.formatted("l.gpu_s")
                + " from ledger_line l where l.booked >= ? and l.booked < ? and l."
                + question.column() + " = ?" + whose(question, "l.")
                + " and not (l.cluster = ? and l.booked < ?)".repeat(ahead.size()) + BY_WHOM + ") as booked" + BY_WHOM
                + " order by owner, project, cluster";
        final List<StatementSum> sums = new ArrayList<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            int at = 1;
            select.setString(at++, question.balances());
            select.setString(at++, question.firstBalance());
            select.setString(at++, question.lastBalance());
            at = whose(select, at, question);
            select.setObject(at++, LedgerWriting.utc(from));
            select.setObject(at++, question.next().plusDays(DAY_OF_ZONES).atStartOfDay());
            select.setString(at++, question.period());
            at = whose(select, at, question);
            for (final Map.Entry<String, Instant> one : ahead.entrySet()) {
                select.setString(at++, one.getKey());
                select.setObject(at++, LedgerWriting.utc(one.getValue()));
            }
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    sums.add(new StatementSum(
                            row.getString(1),
                            row.getString(2),
                            row.getString(3),
                            row.getLong(4),
                            new ProcessorTime(row.getLong(5), row.getLong(6)),
                            new ProcessorTime(row.getLong(7), row.getLong(8))));
                }
            }
        }
        return sums;
    }

    /** What closed periods of the same kind before this one have cost. */
    private ProcessorTime opening(final StatementQuestion question) throws SQLException {
        final String sql = "select sum(charged_core_s - refunded_core_s), sum(charged_gpu_s - refunded_gpu_s)"
                + " from ledger_balance where calendar = ? and period < ?" + whose(question, "");
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, question.balances());
            select.setString(2, question.firstBalance());
            whose(select, 3, question);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? new ProcessorTime(row.getLong(1), row.getLong(2)) : ProcessorTime.NONE;
            }
        }
    }

    /** Whether the books of every cluster that has any are closed up to the end of the period. */
    private static boolean isClosed(final StatementQuestion question, final Map<String, @Nullable Instant> closed) {
        final Instant last =
                question.next().minusDays(DAY_OF_ZONES).atStartOfDay().toInstant(ZoneOffset.UTC);
        return !closed.isEmpty() && closed.values().stream().allMatch(until -> until != null && until.isAfter(last));
    }

    /** No line that counts was booked earlier: what is closed everywhere need not be looked at. */
    private static Instant firstOpen(final StatementQuestion question, final Map<String, @Nullable Instant> closed) {
        final Instant first =
                question.first().minusDays(DAY_OF_ZONES).atStartOfDay().toInstant(ZoneOffset.UTC);
        return closed.values().stream()
                .map(until -> until == null || until.isBefore(first) ? first : until)
                .min(Instant::compareTo)
                .orElse(first);
    }

    /** Up to when the books of each cluster are closed by this kind of period; null: never yet. */
    Map<String, @Nullable Instant> closed(final String calendar) throws SQLException {
        final Map<String, @Nullable Instant> closed = new TreeMap<>();
        try (PreparedStatement clusters =
                        connection.prepareStatement("select cluster, max(booked) from ledger_line group by cluster");
                ResultSet row = clusters.executeQuery()) { // by the index alone, one step a cluster
            while (row.next()) {
                closed.put(row.getString(1), null);
            }
        }
        try (PreparedStatement select = connection.prepareStatement(CLOSED)) {
            select.setString(1, calendar);
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    closed.put(row.getString(1), instant(row, 2));
                }
            }
        }
        return closed;
    }

    static @Nullable Instant closedUntil(final Connection connection, final ClusterId cluster, final String calendar)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "select max(until) from ledger_closing where cluster = ? and calendar = ?")) {
            select.setString(1, cluster.value());
            select.setString(2, calendar);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? instant(row, 1) : null;
            }
        }
    }

    private static @Nullable Instant instant(final ResultSet row, final int column) throws SQLException {
        final LocalDateTime utc = row.getObject(column, LocalDateTime.class);
        return utc == null ? null : utc.toInstant(ZoneOffset.UTC);
    }

    private static String whose(final StatementQuestion question, final String table) {
        return (question.user() == null ? "" : " and " + table + "owner = ?")
                + (question.project() == null ? "" : " and " + table + "project = ?");
    }

    private static int whose(final PreparedStatement select, final int from, final StatementQuestion question)
            throws SQLException {
        int at = from;
        if (question.user() != null) {
            select.setString(at++, question.user().value());
        }
        if (question.project() != null) {
            select.setString(at++, question.project().value());
        }
        return at;
    }
}
