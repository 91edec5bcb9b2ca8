package io.millrace.submit.store;

import io.quarkus.hibernate.orm.panache.Panache;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.hibernate.Session;

/** Loads many rows with few statements. */
public final class Rows {

    private Rows() {}

    /** Existing rows by id. */
    public static <I, R> Map<I, R> byIds(final Class<R> type, final Collection<I> ids, final Function<R, I> idOf) {
        if (ids.isEmpty()) {
            return new HashMap<>();
        }
        final List<R> found = Panache.getEntityManager().unwrap(Session.class).findMultiple(type, List.copyOf(ids));
        final Map<I, R> rows = new HashMap<>();
        found.stream().filter(Objects::nonNull).forEach(row -> rows.put(idOf.apply(row), row));
        return rows;
    }
}
