package io.millrace.submit.store.ledger;

import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Posting;
import io.millrace.submit.domain.submission.Digests;
import io.millrace.submit.domain.usage.StatementQuery;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Books entries and closes periods, with many rows per statement. Times are UTC. */
public final class LedgerWriter {

    private static final String INSERT =
            "insert into ledger_line (booked, entry, line, kind, cluster, owner, project, week, month, year,"
                    + " rate_permille, debit, credit, core_seconds, gpu_seconds, job_key, run, ended,"
                    + " job_class, class_permille)"
                    + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    private static final long PAR_PERMILLE = 1000;

    private final Connection connection;

    public LedgerWriter(final Connection connection) {
        this.connection = connection;
    }

    /** Books entries; ignores booked ones. */
    public void book(final Collection<LedgerEntry> entries) throws SQLException {
        final Map<String, LedgerEntry> first = new LinkedHashMap<>();
        entries.forEach(entry -> first.putIfAbsent(Digests.ofRun(entry.job(), entry.run()), entry));
        if (first.isEmpty()) {
            return;
        }
        first.keySet().removeAll(booked(first.keySet()));
        if (first.isEmpty()) {
            return;
        }
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (final Map.Entry<String, LedgerEntry> entry : first.entrySet()) {
                add(insert, HexFormat.of().parseHex(entry.getKey()), entry.getValue());
            }
            insert.executeBatch();
        }
        new LedgerBalances(connection).add(first.values());
    }

    private Set<String> booked(final Set<String> ids) throws SQLException {
        final String sql = "select entry from ledger_line where line = 0 and entry in ("
                + String.join(", ", Collections.nCopies(ids.size(), "?")) + ")";
        final Set<String> booked = new HashSet<>();
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            int at = 1;
            for (final String id : ids) {
                select.setBytes(at++, HexFormat.of().parseHex(id));
            }
            try (ResultSet found = select.executeQuery()) {
                while (found.next()) {
                    booked.add(HexFormat.of().formatHex(found.getBytes(1)));
                }
            }
        }
        return booked;
    }

    private static void add(final PreparedStatement insert, final byte[] id, final LedgerEntry entry)
            throws SQLException {
        int line = 0;
        for (final Posting posting : entry.postings()) {
            int at = 1;
            insert.setObject(at++, utc(entry.counts()));
            insert.setBytes(at++, id);
            insert.setInt(at++, line++);
            insert.setString(at++, posting.kind().name());
            insert.setString(at++, entry.cluster().value());
            insert.setString(at++, entry.user().value());
            insert.setString(
                    at++, entry.project() == null ? "" : entry.project().value());
            insert.setString(at++, entry.periods().get(0));
            insert.setString(at++, entry.periods().get(1));
            insert.setString(at++, entry.periods().get(2));
            insert.setLong(at++, entry.ratePermille());
            insert.setString(at++, posting.debit());
            insert.setString(at++, posting.credit());
            insert.setLong(at++, posting.amount().coreSeconds());
            insert.setLong(at++, posting.amount().gpuSeconds());
            insert.setString(at++, entry.job().toString());
            insert.setInt(at++, entry.run());
            insert.setObject(at++, entry.bookedAt() == null ? null : utc(entry.endedAt()));
            insert.setString(
                    at++, entry.surcharge() == null ? null : entry.surcharge().jobClass());
            insert.setLong(
                    at,
                    entry.surcharge() == null ? PAR_PERMILLE : entry.surcharge().ratePermille());
            insert.addBatch();
        }
    }

    /** makes the sums of all periods of this kind up to then final; ignores repetitions. */
    public void close(final LedgerClosed closing) throws SQLException {
        final LedgerClosings closings = new LedgerClosings(connection);
        final String calendar = StatementQuery.column(closing.period());
        final @Nullable Instant last =
                closings.until(calendar).get(closing.cluster().value());
        if (last == null || last.isBefore(closing.periodEnd())) {
            closings.add(closing, calendar);
        }
    }

    /** deletes postings after the last closed month of each cluster; returns the number of lines. */
    public long dropOpen() throws SQLException {
        try (PreparedStatement delete = connection.prepareStatement("delete line from ledger_line as line left join "
                + LedgerClosings.LAST
                + " using (cluster) where line.booked >= ? and (closed.until is null or line.booked >="
                + " closed.until)")) {
            delete.setString(1, "month");
            delete.setObject(2, utc(new LedgerClosings(connection).firstOpen("month")));
            final long dropped = delete.executeLargeUpdate();
            new LedgerBalances(connection).count();
            return dropped;
        }
    }

    static LocalDateTime utc(final Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }
}
