package io.millrace.submit.store;

import io.millrace.embedded.EmbeddedMariaDb;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.policy.LedgerClosed;
import io.millrace.model.policy.LedgerEntry;
import io.millrace.model.policy.LedgerEntry.Kind;
import io.millrace.model.policy.LedgerEntry.Posting;
import io.millrace.model.policy.ProcessorTime;
import io.millrace.submit.domain.StatementQuestion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.flywaydb.core.Flyway;

/**
 * What a ledger costs: a year of runs of 1000 users on 20 clusters, booked by the classes of the service into a real MariaDB, months
 * closed one after the other as the year goes by, the last one left open, dropped and booked again.
 */
public final class LedgerBench {

    private static final Instant NEW_YEAR = Instant.parse("2025-01-01T00:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);
    private static final int USERS = 1000;
    private static final int CLUSTERS = 20;
    /** As many as the projection takes in one transaction. */
    private static final int BATCH = 500;

    private final Connection connection;
    private final long entries;
    private final List<Duration> closings = new ArrayList<>();

    private LedgerBench(final Connection connection, final long entries) {
        this.connection = connection;
        this.entries = entries;
    }

    /** ENTRIES FOLDER: how many, and where the database may lie while it runs. */
    public static void main(final String[] args) throws Exception {
        final long entries = Long.parseLong(args[0]);
        final Path folder = Path.of(args[1]);
        final Path programs = Files.createDirectories(folder.resolve("programs"));
        try (EmbeddedMariaDb server = EmbeddedMariaDb.start(programs, folder.resolve("data"), 0, "benchbench1")) {
            server.createDatabase("ledger");
            final String url = server.jdbcUrl("ledger");
            Flyway.configure()
                    .dataSource(url, EmbeddedMariaDb.USER, server.password())
                    .load()
                    .migrate();
            try (Connection connection = DriverManager.getConnection(url, EmbeddedMariaDb.USER, server.password());
                    Statement settings = connection.createStatement()) {
                settings.execute("set global innodb_buffer_pool_size = 268435456");
                connection.setAutoCommit(false);
                new LedgerBench(connection, entries).run();
            }
        }
    }

    private void run() throws SQLException {
        final long firstOfDecember = (long) (entries * 334.0 / 365);
        final Duration booking = time(() -> book(0, entries, true));
        report("booked", entries + " entries in " + seconds(booking) + " s, " + rate(entries, booking) + " a second");
        report(
                "closed",
                CLUSTERS * 11 + " months of a cluster, on the average in " + seconds(average()) + " s, the slowest in "
                        + seconds(slowest()) + " s");
        bytes();
        ask("a user's open month", "u7", "2025-12");
        ask("a user's closed month", "u7", "2025-11");
        ask("a user's year", "u7", "2025");
        ask("everybody's open month", null, "2025-12");
        ask("everybody's closed month", null, "2025-11");
        ask("everybody's year", null, "2025");
        final Duration drop = time(() -> {
            new LedgerWriting(connection).dropOpen();
            connection.commit();
        });
        final Duration again = time(() -> book(firstOfDecember, entries, false));
        report(
                "rebuilt",
                (entries - firstOfDecember) + " entries behind the last closed month: dropped in " + seconds(drop)
                        + " s, booked in " + seconds(again) + " s");
    }

    private void book(final long from, final long to, final boolean closing) throws SQLException {
        final LedgerWriting writing = new LedgerWriting(connection);
        YearMonth month = month(instant(from));
        long shown = System.nanoTime();
        for (long next = from; next < to; next += BATCH) {
            final List<LedgerEntry> batch = new ArrayList<>(BATCH);
            for (long number = next; number < Math.min(to, next + BATCH); number++) {
                batch.add(entry(number));
            }
            writing.book(batch);
            connection.commit();
            final YearMonth now = month(instant(next));
            if (closing && now.isAfter(month)) {
                close(month, writing);
                month = now;
            }
            if (System.nanoTime() - shown > 10_000_000_000L) {
                shown = System.nanoTime();
                System.err.printf(Locale.ROOT, "%d of %d%n", next - from, to - from);
            }
        }
    }

    private void close(final YearMonth month, final LedgerWriting writing) throws SQLException {
        final Instant until = month.plusMonths(1).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        for (int cluster = 0; cluster < CLUSTERS; cluster++) {
            final LedgerClosed closed = new LedgerClosed(ClusterId.of("c" + cluster), month.toString(), until, until);
            closings.add(time(() -> {
                writing.close(closed);
                connection.commit();
            }));
        }
    }

    private void ask(final String what, final String user, final String period) throws SQLException {
        final StatementQuestion question = StatementQuestion.of(user == null ? null : UserName.of(user), null, period);
        final int[] sums = new int[1];
        final Duration first = time(() -> sums[0] = statement(question));
        final Duration second = time(() -> sums[0] = statement(question));
        report(
                "statement",
                what + ": " + millis(first) + " ms, again " + millis(second) + " ms (" + sums[0] + " sums)");
    }

    private int statement(final StatementQuestion question) throws SQLException {
        return new LedgerReading(connection).statement(question).sums().size();
    }

    private void bytes() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("analyze table ledger_line, ledger_balance");
            try (ResultSet row = statement.executeQuery("select table_name, table_rows, data_length, index_length"
                    + " from information_schema.tables where table_schema = 'ledger' and table_name like 'ledger%'")) {
                while (row.next()) {
                    report(
                            "bytes",
                            String.format(
                                    Locale.ROOT,
                                    "%s: about %d rows, %d MiB of rows, %d MiB of indexes",
                                    row.getString(1),
                                    row.getLong(2),
                                    row.getLong(3) >> 20,
                                    row.getLong(4) >> 20));
                }
            }
        }
    }

    /** One of ten runs is refunded in part. */
    private LedgerEntry entry(final long number) {
        final Instant at = instant(number);
        final int user = (int) (number * 7919 % USERS);
        final String project = "p" + user % 100;
        final String cluster = "c" + number % CLUSTERS;
        final String account = "use/u" + user + "/" + project;
        final List<Posting> postings = new ArrayList<>(2);
        postings.add(new Posting(Kind.CHARGE, account, "cluster/" + cluster, new ProcessorTime(3600 + number % 97, 0)));
        if (number % 10 == 0) {
            postings.add(new Posting(Kind.REFUND, "loss/" + cluster, account, new ProcessorTime(900, 0)));
        }
        return new LedgerEntry(
                new JobKey(new JobId(ClusterId.of(cluster), Long.toString(number)), at.minusSeconds(7200)),
                1,
                UserName.of("u" + user),
                ProjectName.of(project),
                at,
                periods(at),
                1000,
                postings);
    }

    private static List<String> periods(final Instant at) {
        final LocalDate day = LocalDate.ofInstant(at, ZoneOffset.UTC);
        final String week = String.format(
                Locale.ROOT,
                "%04d-W%02d",
                day.get(IsoFields.WEEK_BASED_YEAR),
                day.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
        return List.of(week, YearMonth.from(day).toString(), Integer.toString(day.getYear()));
    }

    private Instant instant(final long number) {
        return NEW_YEAR.plusSeconds((long) ((double) number / entries * YEAR.toSeconds()));
    }

    private static YearMonth month(final Instant at) {
        return YearMonth.from(at.atOffset(ZoneOffset.UTC));
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static Duration time(final Step step) throws SQLException {
        final long begun = System.nanoTime();
        step.run();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private Duration average() {
        return closings.stream().reduce(Duration.ZERO, Duration::plus).dividedBy(Math.max(1, closings.size()));
    }

    private Duration slowest() {
        return closings.stream().max(Duration::compareTo).orElse(Duration.ZERO);
    }

    private static void report(final String what, final String figures) {
        System.out.println(what + ": " + figures);
    }

    private static String seconds(final Duration time) {
        return String.format(Locale.ROOT, "%.2f", time.toNanos() / 1e9);
    }

    private static String millis(final Duration time) {
        return String.format(Locale.ROOT, "%.1f", time.toNanos() / 1e6);
    }

    private static long rate(final long count, final Duration time) {
        return (long) (count / (time.toNanos() / 1e9));
    }
}
