package io.millrace.submit.store;

import io.millrace.model.JobKey;
import io.millrace.model.policy.LedgerEntry;
import io.millrace.model.policy.LedgerEntry.Posting;
import io.millrace.model.policy.ProcessorTime;
import io.millrace.submit.domain.Digests;
import io.millrace.submit.domain.LedgerLine;
import io.millrace.submit.domain.StatementQuestion;
import io.millrace.submit.domain.StatementSum;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.TypedQuery;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The ledger of what ended runs cost. */
@ApplicationScoped
public class Ledger {

    /** By which local date and UTC can differ; the period's label decides, the instants only lead the index there. */
    private static final int DAY_OF_ZONES = 1;

    private static final String WHERE =
            " where l.booked >= :from and l.booked < :to and l.%s = :period and (:owner is null or l.owner = :owner)"
                    + " and (:project is null or l.project = :project)";

    /** Takes entries; one that is booked already changes nothing. */
    public void book(final Collection<LedgerEntry> entries) {
        final Map<String, LedgerEntry> first = new LinkedHashMap<>();
        entries.forEach(entry -> first.putIfAbsent(id(entry), entry));
        if (first.isEmpty()) {
            return;
        }
        final Set<String> booked = booked(first.keySet());
        first.forEach((id, entry) -> {
            if (!booked.contains(id)) {
                persist(HexFormat.of().parseHex(id), entry);
            }
        });
    }

    /** Sums by owner, project and cluster, in this order. */
    public List<StatementSum> sums(final StatementQuestion question) {
        final TypedQuery<Object[]> query = Panache.getEntityManager()
                .createQuery(
                        "select l.owner, l.project, l.cluster, l.kind, count(*), sum(l.coreSeconds), sum(l.gpuSeconds)"
                                + " from LedgerRow l" + WHERE.formatted(question.column())
                                + " group by l.owner, l.project, l.cluster, l.kind order by l.owner, l.project,"
                                + " l.cluster",
                        Object[].class);
        final Map<List<String>, StatementSum> sums = new LinkedHashMap<>();
        for (final Object[] row : ask(query, question).getResultList()) {
            final StatementSum sum = StatementSum.of(
                    (String) row[0],
                    (String) row[1],
                    (String) row[2],
                    LedgerEntry.Kind.valueOf((String) row[3]),
                    ((Number) row[4]).longValue(),
                    new ProcessorTime(((Number) row[5]).longValue(), ((Number) row[6]).longValue()));
            sums.merge(List.of(sum.user(), sum.project(), sum.cluster()), sum, StatementSum::plus);
        }
        return List.copyOf(sums.values());
    }

    /** Postings in the order of time, beginning behind {@code skip} of them. */
    public List<LedgerLine> lines(final StatementQuestion question, final int skip, final int limit) {
        final TypedQuery<LedgerRow> query = Panache.getEntityManager()
                .createQuery(
                        "select l from LedgerRow l" + WHERE.formatted(question.column())
                                + " order by l.booked, l.entry, l.line",
                        LedgerRow.class);
        return ask(query, question).setFirstResult(skip).setMaxResults(limit).getResultList().stream()
                .map(Ledger::line)
                .toList();
    }

    private static <R> TypedQuery<R> ask(final TypedQuery<R> query, final StatementQuestion question) {
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

    private static Set<String> booked(final Set<String> ids) {
        final List<byte[]> wanted = new ArrayList<>();
        ids.forEach(id -> wanted.add(HexFormat.of().parseHex(id)));
        final List<byte[]> found = Panache.getEntityManager()
                .createQuery("select l.entry from LedgerRow l where l.entry in :ids and l.line = 0", byte[].class)
                .setParameter("ids", wanted)
                .getResultList();
        final Set<String> booked = new HashSet<>();
        found.forEach(id -> booked.add(HexFormat.of().formatHex(id)));
        return booked;
    }

    private static String id(final LedgerEntry entry) {
        return Digests.ofRun(entry.job(), entry.run());
    }

    private static void persist(final byte[] id, final LedgerEntry entry) {
        int line = 0;
        for (final Posting posting : entry.postings()) {
            final LedgerRow row = new LedgerRow();
            row.entry = id;
            row.line = line++;
            row.booked = entry.at();
            row.kind = posting.kind().name();
            row.cluster = entry.cluster().value();
            row.owner = entry.user().value();
            row.project = entry.project() == null ? "" : entry.project().value();
            row.week = entry.periods().get(0);
            row.month = entry.periods().get(1);
            row.year = entry.periods().get(2);
            row.ratePermille = entry.rate_permille();
            row.debit = posting.debit();
            row.credit = posting.credit();
            row.coreSeconds = posting.amount().core_s();
            row.gpuSeconds = posting.amount().gpu_s();
            row.jobKey = entry.job().toString();
            row.run = entry.run();
            row.persist();
        }
    }

    private static LedgerLine line(final LedgerRow row) {
        return new LedgerLine(
                row.booked,
                JobKey.of(row.jobKey),
                row.run,
                row.owner,
                row.project,
                row.ratePermille,
                new Posting(
                        LedgerEntry.Kind.valueOf(row.kind),
                        row.debit,
                        row.credit,
                        new ProcessorTime(row.coreSeconds, row.gpuSeconds)));
    }
}
