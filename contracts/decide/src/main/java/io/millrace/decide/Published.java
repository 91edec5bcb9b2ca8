package io.millrace.decide;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values that the only writer of a compacted topic has published, so that nothing is published twice and no key is left behind. Filled
 * from the log during the replay; after the first decision the own state is authoritative.
 *
 * <p>A value may contain more than what is published, such as when it was published: the comparison says what counts.
 */
public final class Published<K, V> {

    /** What to write: new or changed values, and keys to take off. */
    public record Difference<K, V>(List<V> put, List<K> removed) {}

    private final Function<? super V, ? extends K> keyOf;
    private final Map<K, V> current = new HashMap<>();

    /** @param keyOf the key of a value */
    public Published(final Function<? super V, ? extends K> keyOf) {
        this.keyOf = keyOf;
    }

    /** Applies a record of the replay; null is a tombstone. */
    public void replay(final K key, final @Nullable V value) {
        if (value == null) {
            current.remove(key);
        } else {
            current.put(key, value);
        }
    }

    /** The published value of this key; null if there is none. */
    public @Nullable V current(final K key) {
        return current.get(key);
    }

    /** All published values. */
    public Collection<V> current() {
        return Collections.unmodifiableCollection(current.values());
    }

    /**
     * Replaces one published value.
     *
     * @param same whether the published value (first) is equivalent to the wanted one (second)
     * @return whether the wanted value must be written; otherwise the published one stays
     */
    public boolean replace(final V wanted, final BiPredicate<? super V, ? super V> same) {
        final K key = keyOf.apply(wanted);
        final V old = current.get(key);
        if (old != null && same.test(old, wanted)) {
            return false;
        }
        current.put(key, wanted);
        return true;
    }

    /** Takes a value off; returns whether it was published, so that its key must be removed. */
    public boolean remove(final K key) {
        return current.remove(key) != null;
    }

    /**
     * Replaces all published values, and returns the difference to write.
     *
     * @param same whether the published value (first) is equivalent to the wanted one (second)
     */
    public Difference<K, V> replaceAll(
            final Iterable<? extends V> wanted, final BiPredicate<? super V, ? super V> same) {
        final Map<K, V> next = new LinkedHashMap<>();
        final List<V> put = new ArrayList<>();
        for (final V value : wanted) {
            final K key = keyOf.apply(value);
            final V old = current.remove(key);
            final boolean keep = old != null && same.test(old, value);
            if (!keep) {
                put.add(value);
            }
            next.put(key, keep ? old : value);
        }
        final List<K> removed = List.copyOf(current.keySet());
        current.clear();
        current.putAll(next);
        return new Difference<>(put, removed);
    }

    /**
     * Replaces all published values by those of planned ones, which are made only if they must be written.
     *
     * @param planned each key once
     * @param keyOfPlanned the key of a planned value
     * @param same whether the published value is equivalent to the planned one
     * @param toWrite the value to write in place of the published one, if there is one
     */
    public <P> Difference<K, V> replaceAll(
            final Collection<P> planned,
            final Function<? super P, ? extends K> keyOfPlanned,
            final BiPredicate<? super V, ? super P> same,
            final BiFunction<? super @Nullable V, ? super P, ? extends V> toWrite) {
        final List<V> put = new ArrayList<>();
        for (final P next : planned) {
            final K key = keyOfPlanned.apply(next);
            final V old = current.get(key);
            if (old == null || !same.test(old, next)) {
                final V value = toWrite.apply(old, next);
                put.add(value);
                current.put(key, value);
            }
        }
        final List<K> removed = new ArrayList<>();
        if (current.size() > planned.size()) {
            final Set<K> kept = new HashSet<>();
            planned.forEach(next -> kept.add(keyOfPlanned.apply(next)));
            current.keySet().stream().filter(key -> !kept.contains(key)).forEach(removed::add);
            removed.forEach(current::remove);
        }
        return new Difference<>(put, removed);
    }
}
