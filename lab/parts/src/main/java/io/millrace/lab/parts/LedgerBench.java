package io.millrace.lab.parts;

import io.millrace.embedded.EmbeddedMariaDb;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.submit.domain.usage.StatementQuery;
import io.millrace.submit.store.ledger.LedgerReader;
import io.millrace.submit.store.ledger.LedgerWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;

/**
 * Benchmark of a growing ledger: the classes of the service book runs of a year into a real MariaDB and close months. At 300,000 entries,
 * at a million and at the end, statements are queried, and open periods are rebuilt.
 */
public final class LedgerBench {

    private static final List<Long> MARKS = List.of(300_000L, 1_000_000L);
    /** The batch size of the projection. */
    private static final int BATCH = 500;

    /** Database settings for a large site; the defaults of the embedded server are for a laptop. */
    private static final List<String> SERVER = List.of(
            "set global innodb_buffer_pool_size = 512 * 1024 * 1024",
            "set global innodb_log_file_size = 256 * 1024 * 1024");

    private final Connection connection;
    private final ProcessHandle server;
    private final GeneratedLedger site;
    private final BenchResults figures = new BenchResults();
    private final List<Duration> closings = new ArrayList<>();

    private LedgerBench(final Connection connection, final ProcessHandle server, final GeneratedLedger site) {
        this.connection = connection;
        this.server = server;
        this.site = site;
    }

    /** Arguments: number of entries, and the folder of the database. */
    public static void main(final String[] args) throws Exception {
        final GeneratedLedger site = new GeneratedLedger(Long.parseLong(args[0]));
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
                for (final String setting : SERVER) {
                    settings.execute(setting);
                }
                connection.setAutoCommit(false);
                final ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
                System.out.println(
                        new LedgerBench(connection, process, site).run().table());
            }
        }
    }

    private BenchResults run() throws SQLException {
        final LongPredicate inside = mark -> mark < site.runs();
        long booked = 0;
        for (final long mark : LongStream.concat(
                        MARKS.stream().mapToLong(Long::longValue).filter(inside), LongStream.of(site.runs()))
                .toArray()) {
            figures.begin(mark);
            grow(booked, mark);
            bytes();
            ask(mark);
            rebuild(mark);
            booked = mark;
        }
        return figures;
    }

    private void grow(final long from, final long to) throws SQLException {
        closings.clear();
        final Duration here = cpu();
        final Duration there = cpuOfServer();
        final Duration time = time(() -> book(from, to, true));
        final double thousands = (to - from) / 1e3;
        figures.put("booked a second", String.format(Locale.ROOT, "%,.0f", 1e3 * thousands / seconds(time)));
        figures.put(
                "processor time of 1,000: service, database",
                String.format(
                        Locale.ROOT,
                        "%.0f, %.0f ms",
                        1e3 * seconds(cpu().minus(here)) / thousands,
                        1e3 * seconds(cpuOfServer().minus(there)) / thousands));
        if (!closings.isEmpty()) {
            figures.put(
                    "a week or month of one cluster closed, at most",
                    millis(closings.stream().max(Duration::compareTo).orElseThrow()));
        }
    }

    private void book(final long from, final long to, final boolean closing) throws SQLException {
        final LedgerWriter writing = new LedgerWriter(connection);
        long shown = System.nanoTime();
        for (long next = from; next < to; next += BATCH) {
            final List<LedgerEntry> batch = LongStream.range(next, Math.min(to, next + BATCH))
                    .mapToObj(site::entry)
                    .toList();
            writing.book(batch);
            connection.commit();
            if (closing && next > 0) {
                close(site.entry(next - BATCH), batch.getFirst(), writing);
            }
            if (System.nanoTime() - shown > Duration.ofSeconds(10).toNanos()) {
                shown = System.nanoTime();
                System.err.printf(Locale.ROOT, "%,d of %,d%n", next - from, to - from);
            }
        }
    }

    /** The weeks and months that ended between these instants. */
    private void close(final LedgerEntry before, final LedgerEntry after, final LedgerWriter writing)
            throws SQLException {
        final Instant until = after.endedAt().truncatedTo(ChronoUnit.DAYS);
        for (int kind = 0; kind < 2; kind++) {
            final String period = before.periods().get(kind);
            if (!period.equals(after.periods().get(kind))) {
                for (int cluster = 0; cluster < GeneratedLedger.CLUSTERS; cluster++) {
                    final LedgerClosed closed = new LedgerClosed(ClusterId.of("c" + cluster), period, until, until);
                    closings.add(time(() -> {
                        writing.close(closed);
                        connection.commit();
                    }));
                }
            }
        }
    }

    private void ask(final long mark) throws SQLException {
        final YearMonth open = site.month(mark - 1);
        final String year = Integer.toString(open.getYear());
        for (final String user : new String[] {"u7", null}) {
            final String whose = user == null ? "of all: " : "of one user: ";
            ask(whose + "the open month", user, open.toString());
            if (site.first(open) > 0) {
                ask(whose + "a closed month", user, open.minusMonths(1).toString());
            }
            ask(whose + "the year", user, year);
        }
    }

    private void ask(final String what, final @Nullable String user, final String period) throws SQLException {
        final StatementQuery question = StatementQuery.of(user == null ? null : UserName.of(user), null, period);
        final int[] sums = new int[1];
        final Duration first = time(() -> sums[0] = statement(question));
        final Duration second = time(() -> sums[0] = statement(question));
        figures.put(what, String.format(Locale.ROOT, "%s, then %s (%,d sums)", millis(first), millis(second), sums[0]));
    }

    private int statement(final StatementQuery question) throws SQLException {
        final int sums = new LedgerReader(connection).statement(question).sums().size();
        connection.commit();
        return sums;
    }

    private void rebuild(final long mark) throws SQLException {
        final long first = site.first(site.month(mark - 1));
        final Duration drop = time(() -> {
            new LedgerWriter(connection).dropOpen();
            connection.commit();
        });
        final Duration again = time(() -> book(first, mark, false));
        figures.put(
                "rebuilt behind the last closed month",
                String.format(
                        Locale.ROOT,
                        "%,d entries: dropped in %.1f s, booked in %.1f s",
                        mark - first,
                        seconds(drop),
                        seconds(again)));
    }

    private void bytes() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("analyze table ledger_line, ledger_balance");
            try (ResultSet row = statement.executeQuery("select table_name, data_length, index_length"
                    + " from information_schema.tables where table_schema = 'ledger'"
                    + " and table_name in ('ledger_line', 'ledger_balance') order by table_name desc")) {
                while (row.next()) {
                    figures.put(
                            row.getString(1) + ": rows, indexes",
                            String.format(Locale.ROOT, "%,d + %,d MiB", row.getLong(2) >> 20, row.getLong(3) >> 20));
                }
            }
        }
    }

    private interface Step {
        void run() throws SQLException;
    }

    private static Duration time(final Step step) throws SQLException {
        final long begun = System.nanoTime();
        step.run();
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private Duration cpuOfServer() {
        return server.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static double seconds(final Duration time) {
        return time.toNanos() / 1e9;
    }

    private static String millis(final Duration time) {
        return String.format(Locale.ROOT, "%,.0f ms", time.toNanos() / 1e6);
    }
}
