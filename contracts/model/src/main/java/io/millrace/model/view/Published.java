package io.millrace.model.view;

import io.millrace.model.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The events that the only writer of a compacted topic has published, so that nothing is published twice and no key is left behind. Filled
 * from the log during the replay; after the first decision the own state is authoritative.
 */
public final class Published<E extends Event> {

    /** What to write: new or changed events, and keys to take off. */
    public record Difference<E extends Event>(List<E> put, List<String> removed) {}

    private final Map<String, E> current = new HashMap<>();

    /** Applies a record of the replay; null is a tombstone. */
    public void replay(final String key, final @Nullable E event) {
        if (event == null) {
            current.remove(key);
        } else {
            current.put(key, event);
        }
    }

    /** The published event of this key; null if there is none. */
    public @Nullable E current(final String key) {
        return current.get(key);
    }

    /** All published events. */
    public Collection<E> current() {
        return Collections.unmodifiableCollection(current.values());
    }

    /**
     * Replaces all published events, and returns the difference to write.
     *
     * @param same whether the published event (first) is equivalent to the wanted one (second)
     */
    public Difference<E> replaceAll(final Iterable<? extends E> wanted, final BiPredicate<? super E, ? super E> same) {
        final Map<String, E> next = new LinkedHashMap<>();
        final List<E> put = new ArrayList<>();
        for (final E event : wanted) {
            final String key = event.key();
            final E old = current.remove(key);
            final boolean keep = old != null && same.test(old, event);
            if (!keep) {
                put.add(event);
            }
            next.put(key, keep ? old : event);
        }
        final List<String> removed = List.copyOf(current.keySet());
        current.clear();
        current.putAll(next);
        return new Difference<>(put, removed);
    }
}
