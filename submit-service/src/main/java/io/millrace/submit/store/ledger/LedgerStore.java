package io.millrace.submit.store.ledger;

import io.millrace.model.Event;
import io.millrace.model.JobKey;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Posting;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.submit.domain.usage.LedgerPosting;
import io.millrace.submit.domain.usage.Statement;
import io.millrace.submit.domain.usage.StatementQuery;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/** Stores and queries the ledger of ended runs. */
@ApplicationScoped
public class LedgerStore {

    /** Maximum difference between local and UTC dates. The period column selects rows; the time range only limits the index scan. */
    private static final int DAY_OF_ZONES = 1;

    private static final String WHERE =
            " where l.booked >= :from and l.booked < :to and l.%s = :period and (:owner is null or l.owner = :owner)"
                    + " and (:project is null or l.project = :project)";

    private static final String AFTER = " and l.booked >= :booked and (l.booked > :booked or l.booked = :booked"
            + " and (l.entry > :entry or l.entry = :entry and l.line > :line))";

    /** Stores entries and closings in log order; ignores repetitions. */
    public void store(final List<Event> events) {
        if (events.isEmpty()) {
            return;
        }
        session().doWork(connection -> {
            final LedgerWriter writing = new LedgerWriter(connection);
            final List<LedgerEntry> entries = new ArrayList<>();
            for (final Event event : events) {
                if (event instanceof LedgerEntry entry) {
                    entries.add(entry);
                } else if (event instanceof LedgerClosed closing) {
                    writing.book(entries);
                    entries.clear();
                    writing.close(closing);
                }
            }
            writing.book(entries);
        });
    }

    public Statement statement(final StatementQuery question) {
        return session().doReturningWork(connection -> new LedgerReader(connection).statement(question));
    }

    /** Deletes postings after the last closed month of each cluster. */
    public long dropOpen() {
        return session().doReturningWork(connection -> new LedgerWriter(connection).dropOpen());
    }

    /** The end of the last closed month by cluster; null: no closed month. */
    public Map<String, @Nullable Instant> closedMonths() {
        return session().doReturningWork(connection -> new LedgerClosings(connection).ofAll("month"));
    }

    private static Session session() {
        return Panache.getEntityManager().unwrap(Session.class);
    }

    /** Postings ordered by time, after the last one of the previous page (null: from the first). */
    public List<LedgerPosting> lines(
            final StatementQuery question, final LedgerPosting.@Nullable Cursor after, final int limit) {
        final TypedQuery<LedgerRow> query = Panache.getEntityManager()
                .createQuery(
                        "select l from LedgerRow l" + WHERE.formatted(question.column()) + (after == null ? "" : AFTER)
                                + " order by l.booked, l.entry, l.line",
                        LedgerRow.class);
        if (after != null) {
            query.setParameter("booked", after.bookedAt())
                    .setParameter("entry", HexFormat.of().parseHex(after.entry()))
                    .setParameter("line", after.line());
        }
        return bind(query, question).setMaxResults(limit).getResultList().stream()
                .map(LedgerStore::line)
                .toList();
    }

    private static <R> TypedQuery<R> bind(final TypedQuery<R> query, final StatementQuery question) {
        return query.setParameter("period", question.period())
                .setParameter(
                        "from",
                        question.first()
                                .minusDays(DAY_OF_ZONES)
                                .atStartOfDay(ZoneOffset.UTC)
                                .toInstant())
                .setParameter(
                        "to",
                        question.next()
                                .plusDays(DAY_OF_ZONES)
                                .atStartOfDay(ZoneOffset.UTC)
                                .toInstant())
                .setParameter(
                        "owner",
                        question.user() == null ? null : question.user().value())
                .setParameter(
                        "project",
                        question.project() == null ? null : question.project().value());
    }

    private static LedgerPosting line(final LedgerRow row) {
        return new LedgerPosting(
                row.booked,
                row.ended == null ? row.booked : row.ended,
                JobKey.of(row.jobKey),
                row.run,
                row.owner,
                row.project,
                row.ratePermille,
                row.jobClass == null ? "" : row.jobClass,
                row.classPermille,
                new Posting(
                        LedgerEntry.Kind.valueOf(row.kind),
                        row.debit,
                        row.credit,
                        new ProcessorTime(row.coreSeconds, row.gpuSeconds)),
                new LedgerPosting.Cursor(row.booked, HexFormat.of().formatHex(row.entry), row.line));
    }
}
