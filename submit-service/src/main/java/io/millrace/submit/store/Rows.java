package io.millrace.submit.store;

import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.persistence.FindOption;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.hibernate.Session;
import org.hibernate.SessionCheckMode;

/** Loads many rows with few statements. */
public final class Rows {

    private Rows() {}

    /** Existing rows by id. */
    public static <I, R> Map<I, R> byIds(
            final Class<R> type, final Collection<I> ids, final Function<R, I> idOf, final FindOption... options) {
        if (ids.isEmpty()) {
            return new HashMap<>();
        }
        final List<R> found =
                Panache.getEntityManager().unwrap(Session.class).findMultiple(type, List.copyOf(ids), all(options));
        final Map<I, R> rows = new HashMap<>();
        found.stream().filter(Objects::nonNull).forEach(row -> rows.put(idOf.apply(row), row));
        return rows;
    }

    /** Rows that the transaction has created or changed count as they are now. */
    private static FindOption[] all(final FindOption... options) {
        return Stream.concat(Stream.of(options), Stream.of(SessionCheckMode.ENABLED))
                .toArray(FindOption[]::new);
    }
}
