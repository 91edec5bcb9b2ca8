package io.millrace.submit.limits;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;

/** A number of places for each key, and one for all keys together. Thread-safe. */
public final class Places<K> {

    private final int each;
    private final Semaphore free;
    private final ConcurrentMap<K, Integer> taken = new ConcurrentHashMap<>();

    public Places(final int each, final int all) {
        this.each = each;
        this.free = new Semaphore(all);
    }

    /** Whether a key got a place; if so, {@link #leave} must be called. */
    public boolean enter(final K key) {
        if (!free.tryAcquire()) {
            return false;
        }
        final boolean[] entered = {false};
        taken.compute(key, (same, count) -> {
            final int before = count == null ? 0 : count;
            entered[0] = before < each;
            return entered[0] ? Integer.valueOf(before + 1) : count;
        });
        if (!entered[0]) {
            free.release();
        }
        return entered[0];
    }

    public void leave(final K key) {
        taken.computeIfPresent(key, (same, count) -> count == 1 ? null : Integer.valueOf(count - 1));
        free.release();
    }
}
