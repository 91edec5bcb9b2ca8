package io.millrace.submit.store.ledger;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.LedgerEntry.Kind;
import io.millrace.model.quota.LedgerEntry.Posting;
import io.millrace.model.quota.ProcessorTime;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Random ledger events of three clusters: runs of a few users around the ends of weeks, months and years and around clock changes,
 * some refunded, late or repeated, with closings of weeks, months and years.
 */
final class LedgerHistory {

    static final List<String> CLUSTERS = List.of("alpha", "beta", "gamma");
    static final List<String> USERS = List.of("anna", "bob", "cleo");
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    /** One week before clock changes, and before a year that starts within a week. */
    private static final List<String> BEGINNINGS =
            List.of("2026-03-22T00:00:00Z", "2026-10-18T00:00:00Z", "2026-12-24T00:00:00Z");

    private static final Duration CLOSE_AFTER = Duration.ofHours(36);

    private final RandomGenerator random;
    private final Map<String, Instant> closed = new HashMap<>();
    private final List<Event> said = new ArrayList<>();
    private Instant now;
    private int jobs;

    LedgerHistory(final RandomGenerator random) {
        this.random = random;
        now = Instant.parse(BEGINNINGS.get(random.nextInt(BEGINNINGS.size())));
    }

    /** All events so far, in log order. */
    List<Event> said() {
        return List.copyOf(said);
    }

    /** Generates the next events and adds them to {@link #events}. */
    List<Event> more() {
        now = now.plusSeconds(random.nextInt(3600, 30 * 3600));
        final int before = said.size();
        CLUSTERS.stream().filter(cluster -> random.nextInt(4) > 0).forEach(this::close);
        for (int i = random.nextInt(6); i > 0; i--) {
            said.add(entry(CLUSTERS.get(random.nextInt(CLUSTERS.size()))));
        }
        if (random.nextInt(3) == 0 && !said.isEmpty()) {
            said.add(said.get(random.nextInt(said.size())));
        }
        return List.copyOf(said.subList(before, said.size()));
    }

    private void close(final String cluster) {
        final LocalDate day = LocalDate.ofInstant(now.minus(CLOSE_AFTER), ZONE);
        close(cluster, day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)), 0);
        close(cluster, day.withDayOfMonth(1), 1);
        close(cluster, day.withDayOfYear(1), 2);
    }

    /** Closes all periods before the first open day. */
    private void close(final String cluster, final LocalDate open, final int kind) {
        final Instant until = open.atStartOfDay(ZONE).toInstant();
        if (until.isAfter(closed.getOrDefault(cluster + kind, Instant.EPOCH))) {
            closed.put(cluster + kind, until);
            said.add(new LedgerClosed(
                    ClusterId.of(cluster), periods(until.minusSeconds(1)).get(kind), until, now));
        }
    }

    private LedgerEntry entry(final String cluster) {
        final Instant end = now.minusSeconds(random.nextInt(4 * 86_400));
        final boolean late = List.of(0, 1, 2).stream()
                .anyMatch(kind -> end.isBefore(closed.getOrDefault(cluster + kind, Instant.EPOCH)));
        final String user = USERS.get(random.nextInt(USERS.size()));
        final ProcessorTime charge = new ProcessorTime(random.nextInt(10_000), random.nextInt(100));
        final List<Posting> postings = new ArrayList<>();
        postings.add(new Posting(Kind.CHARGE, "use/" + user, "cluster/" + cluster, charge));
        if (random.nextInt(4) == 0) {
            postings.add(new Posting(
                    Kind.REFUND, "loss/" + cluster, "use/" + user, new ProcessorTime(charge.coreSeconds() / 3, 0)));
        }
        return new LedgerEntry(
                new JobKey(new JobId(ClusterId.of(cluster), Integer.toString(++jobs)), end.minusSeconds(60)),
                1,
                UserName.of(user),
                random.nextBoolean() ? null : ProjectName.of("physics"),
                end,
                periods(late ? now : end),
                1000,
                postings,
                null,
                late ? now : null);
    }

    /** Week, month and year in the site's calendar. */
    static List<String> periods(final Instant at) {
        final LocalDate day = LocalDate.ofInstant(at, ZONE);
        return List.of(
                String.format(
                        Locale.ROOT,
                        "%04d-W%02d",
                        day.get(IsoFields.WEEK_BASED_YEAR),
                        day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)),
                YearMonth.from(day).toString(),
                Integer.toString(day.getYear()));
    }
}
