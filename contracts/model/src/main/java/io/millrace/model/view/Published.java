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
 * What its one writer has said under the keys of a compacted topic, so that nothing is said twice and nothing is left behind. Filled
 * from the log during the replay; after the first decision the writer's own memory is the truth, and its echoes are not asked.
 */
public final class Published<E extends Event> {

    /** What to write: new or changed events, and keys to take off. */
    public record Difference<E extends Event>(List<E> put, List<String> removed) {}

    private final Map<String, E> current = new HashMap<>();

    /** Takes a record of the replay; null is a tombstone. */
    public void replay(final String key, final @Nullable E event) {
        if (event == null) {
            current.remove(key);
        } else {
            current.put(key, event);
        }
    }

    /** What stands under this key; null if nothing does. */
    public @Nullable E current(final String key) {
        return current.get(key);
    }

    /** All that stands. */
    public Collection<E> current() {
        return Collections.unmodifiableCollection(current.values());
    }

    /**
     * Makes one wanted event the standing one under its key, unless what stands is as good.
     *
     * @param same as in {@link #replaceAll}
     * @return whether it is to be written
     */
    public boolean publish(final E wanted, final BiPredicate<? super E, ? super E> same) {
        final String key = wanted.key();
        final E old = current.get(key);
        if (old != null && same.test(old, wanted)) {
            return false;
        }
        current.put(key, wanted);
        return true;
    }

    /** Takes off what stands under this key. @return whether anything did, so that the key is to be removed */
    public boolean remove(final String key) {
        return current.remove(key) != null;
    }

    /**
     * Makes the wanted events the standing ones, and says what that takes.
     *
     * @param same whether what stands (first) is as good as what is wanted (second), and need not be said again
     */
    public Difference<E> replaceAll(final Iterable<? extends E> wanted, final BiPredicate<? super E, ? super E> same) {
        final Map<String, E> next = new LinkedHashMap<>();
        final List<E> put = new ArrayList<>();
        for (final E event : wanted) {
            final E old = current.remove(event.key());
            final boolean keep = old != null && same.test(old, event);
            if (!keep) {
                put.add(event);
            }
            next.put(event.key(), keep ? old : event);
        }
        final List<String> removed = List.copyOf(current.keySet());
        current.clear();
        current.putAll(next);
        return new Difference<>(put, removed);
    }
}
