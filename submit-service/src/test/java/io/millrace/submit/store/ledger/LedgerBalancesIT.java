package io.millrace.submit.store.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Event;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.LedgerClosed;
import io.millrace.model.quota.LedgerEntry;
import io.millrace.model.quota.ProcessorTime;
import io.millrace.submit.domain.usage.Statement;
import io.millrace.submit.domain.usage.StatementQuery;
import io.millrace.submit.domain.usage.StatementSum;
import io.millrace.testing.MariaDb;
import io.millrace.testing.Stack;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stored balances equal the sums of the entries. */
class LedgerBalancesIT {

    private static final MariaDb SERVER = Stack.mariadb();
    /** Suppresses Flyway's INFO messages. */
    private static final Logger FLYWAY = Logger.getLogger("org.flywaydb");

    private static final String SUMMED = "select '%1$s', %1$s, cluster, owner, project, sum(kind = 'CHARGE'),"
            + " sum(if(kind = 'CHARGE', core_seconds, 0)), sum(if(kind = 'CHARGE', gpu_seconds, 0)),"
            + " sum(if(kind = 'REFUND', core_seconds, 0)), sum(if(kind = 'REFUND', gpu_seconds, 0))"
            + " from ledger_line group by %1$s, cluster, owner, project";

    private static final String LAST = "(select cluster, calendar, max(period) as last from ledger_closing"
            + " group by cluster, calendar) as closed using (cluster, calendar)";

    private final String url = SERVER.jdbcUrl("balances");
    private Connection connection;

    @BeforeEach
    void an_empty_ledger() throws SQLException {
        FLYWAY.setLevel(Level.WARNING);
        Flyway.configure()
                .dataSource(url, SERVER.user(), SERVER.password())
                .load()
                .migrate();
        connection = DriverManager.getConnection(url, SERVER.user(), SERVER.password());
        connection.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void statements_and_balances_are_the_sums_of_all_entries_however_often_the_ledger_is_rebuilt() throws SQLException {
        for (long seed = 1; seed <= 6; seed++) {
            execute("delete from ledger_line");
            execute("delete from ledger_closing");
            execute("delete from ledger_balance");
            holds(seed);
        }
    }

    private void holds(final long seed) throws SQLException {
        final Random random = new Random(seed);
        final LedgerHistory history = new LedgerHistory(random);
        for (int step = 0; step < 40; step++) {
            take(history.more());
            if (random.nextInt(8) == 0) {
                damageBalances();
                new LedgerWriter(connection).dropOpen();
                take(history.said());
            }
        }
        assertThat(rows("select * from ledger_balance"))
                .as("seed " + seed)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(
                        rows(SUMMED.formatted("week") + " union all " + SUMMED.formatted("month")));
        for (final StatementQuery question : questions(history.said())) {
            assertThat(new LedgerReader(connection).statement(question))
                    .as("seed %d, %s", seed, question)
                    .isEqualTo(expected(question, history.said()));
        }
    }

    private void take(final List<Event> events) throws SQLException {
        final LedgerWriter writing = new LedgerWriter(connection);
        for (final Event event : events) {
            if (event instanceof LedgerClosed closing) {
                writing.close(closing);
            } else {
                writing.book(List.of((LedgerEntry) event));
            }
        }
    }

    private void damageBalances() throws SQLException {
        execute("update ledger_balance left join " + LAST + " set runs = runs + 1 where period > coalesce(last, '')");
    }

    private void execute(final String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private List<String> rows(final String sql) throws SQLException {
        final List<String> rows = new ArrayList<>();
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                final StringBuilder text = new StringBuilder();
                for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                    text.append('|').append(row.getString(i));
                }
                rows.add(text.toString());
            }
        }
        return rows;
    }

    /** Every period with postings, for all users, a user, a project, and both. */
    private static List<StatementQuery> questions(final List<Event> said) {
        final Set<String> periods = new TreeSet<>();
        entries(said).forEach(entry -> periods.addAll(entry.periods()));
        final UserName anna = UserName.of("anna");
        final ProjectName physics = ProjectName.of("physics");
        final List<StatementQuery> questions = new ArrayList<>();
        for (final String period : periods) {
            questions.add(StatementQuery.of(null, null, period));
            questions.add(StatementQuery.of(anna, null, period));
            questions.add(StatementQuery.of(null, physics, period));
            questions.add(StatementQuery.of(anna, physics, period));
        }
        return questions;
    }

    private static Set<LedgerEntry> entries(final List<Event> said) {
        final Set<LedgerEntry> entries = new LinkedHashSet<>();
        said.stream()
                .filter(LedgerEntry.class::isInstance)
                .map(LedgerEntry.class::cast)
                .forEach(entries::add);
        return entries;
    }

    /** The statement, computed naively from the log. */
    private static Statement expected(final StatementQuery question, final List<Event> said) {
        final Map<String, String> closed = new TreeMap<>();
        final int kind = List.of("week", "month", "year").indexOf(question.column());
        final Map<String, String> balanced = new TreeMap<>();
        said.stream()
                .filter(LedgerClosed.class::isInstance)
                .map(LedgerClosed.class::cast)
                .forEach(closing -> {
                    final String calendar = StatementQuery.column(closing.period());
                    if (calendar.equals(question.column())) {
                        closed.merge(closing.cluster().value(), closing.period(), LedgerBalancesIT::later);
                    }
                    if (calendar.equals(question.balances())) {
                        balanced.merge(closing.cluster().value(), closing.period(), LedgerBalancesIT::later);
                    }
                });
        final Map<List<String>, StatementSum> sums = new TreeMap<>(Comparator.comparing(List::toString));
        ProcessorTime opening = ProcessorTime.NONE;
        final Set<String> clusters = new TreeSet<>();
        for (final LedgerEntry entry : entries(said)) {
            clusters.add(entry.cluster().value());
            if (!isOf(entry, question.user(), question.project())) {
                continue;
            }
            final StatementSum sum = StatementSum.of(entry);
            if (entry.periods().get(kind).equals(question.period())) {
                sums.merge(List.of(sum.user(), sum.project(), sum.cluster()), sum, StatementSum::plus);
            }
            final String balance = entry.periods().get(question.balances().equals("week") ? 0 : 1);
            if (balance.compareTo(question.firstBalance()) < 0
                    && balance.compareTo(balanced.getOrDefault(sum.cluster(), "")) <= 0) {
                opening = opening.plus(sum.cost());
            }
        }
        return new Statement(
                List.copyOf(sums.values()),
                opening,
                clusters.stream()
                        .allMatch(cluster -> closed.getOrDefault(cluster, "").compareTo(question.period()) >= 0));
    }

    private static boolean isOf(
            final LedgerEntry entry, final @Nullable UserName user, final @Nullable ProjectName project) {
        return (user == null || user.equals(entry.user())) && (project == null || project.equals(entry.project()));
    }

    private static String later(final String one, final String other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
