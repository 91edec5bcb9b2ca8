package io.millrace.submit.store;

import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.persistence.FindOption;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionCheckMode;
import org.jspecify.annotations.Nullable;

/** Loads and writes many rows with few statements. */
public final class Rows {

    /** Below the largest packet of the database in characters, also with a last row of 1 MiB. */
    private static final int STATEMENT_SIZE = 1_000_000;

    private Rows() {}

    /** Existing rows by id. */
    public static <I, R> Map<I, R> byIds(
            final Class<R> type, final Collection<I> ids, final Function<R, I> idOf, final FindOption... options) {
        if (ids.isEmpty()) {
            return new HashMap<>();
        }
        final List<R> found = session().findMultiple(type, List.copyOf(ids), all(options));
        final Map<I, R> rows = new HashMap<>();
        found.stream().filter(Objects::nonNull).forEach(row -> rows.put(idOf.apply(row), row));
        return rows;
    }

    /**
     * Inserts rows, many with each statement.
     *
     * @param table with its columns
     * @param values of the columns of a row
     */
    public static <R> void insert(
            final String table, final Collection<R> rows, final Function<R, @Nullable Object[]> values) {
        write(table, "", rows, values);
    }

    /**
     * As {@link #insert}, or changes rows that exist. Rows that the session has loaded stay as they are.
     *
     * @param change the assignments for a row that exists, in which {@code values(column)} is the new value
     */
    public static <R> void upsert(
            final String table,
            final String change,
            final Collection<R> rows,
            final Function<R, @Nullable Object[]> values) {
        write(table, " on duplicate key update " + change, rows, values);
    }

    private static <R> void write(
            final String table,
            final String conflict,
            final Collection<R> rows,
            final Function<R, @Nullable Object[]> values) {
        final List<@Nullable Object> parameters = new ArrayList<>();
        int size = 0;
        int count = 0;
        for (final R row : rows) {
            for (final Object value : values.apply(row)) {
                parameters.add(value);
                size += value instanceof String text ? text.length() : 1;
            }
            count++;
            if (size > STATEMENT_SIZE) {
                execute(table, conflict, count, parameters);
                parameters.clear();
                size = 0;
                count = 0;
            }
        }
        execute(table, conflict, count, parameters);
    }

    private static void execute(
            final String table, final String conflict, final int rows, final List<@Nullable Object> parameters) {
        if (rows > 0) {
            final String row = "(" + String.join(", ", Collections.nCopies(parameters.size() / rows, "?")) + ")";
            final String sql =
                    "insert into " + table + " values " + String.join(", ", Collections.nCopies(rows, row)) + conflict;
            session().doWork(connection -> {
                try (PreparedStatement statement = connection.prepareStatement(sql)) {
                    bind(statement, parameters.toArray());
                    statement.executeUpdate();
                }
            });
        }
    }

    /** Deletes rows, all in one request to the database; {@code keys} are the parameters of the statement for a row. */
    public static <R> void delete(
            final String sql, final Collection<R> rows, final Function<R, @Nullable Object[]> keys) {
        if (rows.isEmpty()) {
            return;
        }
        session().doWork(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                for (final R row : rows) {
                    bind(statement, keys.apply(row));
                    statement.addBatch();
                }
                statement.executeBatch();
            }
        });
    }

    private static void bind(final PreparedStatement statement, final @Nullable Object[] values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            final Object value = values[i];
            statement.setObject(
                    i + 1, value instanceof Instant instant ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC) : value);
        }
    }

    /** The parameters of a statement. */
    public static @Nullable Object[] values(final @Nullable Object... values) {
        return values;
    }

    /** Rows that the transaction has created or changed count as they are now. */
    private static FindOption[] all(final FindOption... options) {
        return Stream.concat(Stream.of(options), Stream.of(SessionCheckMode.ENABLED))
                .toArray(FindOption[]::new);
    }

    private static Session session() {
        return Panache.getEntityManager().unwrap(Session.class);
    }
}
