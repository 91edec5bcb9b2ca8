package io.millrace.submit.limits;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;

/**
 * Lets each key do a number of things at a time; further ones wait in a queue of the key, without a thread. Thread-safe.
 *
 * @param <K> hashable
 */
public final class FairQueue<K> {

    private static final class Lane {
        private int running;
        private final Queue<Runnable> waiting = new ArrayDeque<>();
    }

    private final int atOnce;
    private final int queued;
    private final Map<K, Lane> lanes = new HashMap<>();

    public FairQueue(final int atOnce, final int queued) {
        this.atOnce = atOnce;
        this.queued = queued;
    }

    /**
     * Calls {@code begin} when it is the key's turn: now, or in {@link #left}, which must be called after its end.
     *
     * @return false if the queue of the key is full; then {@code begin} is never called
     */
    public boolean enter(final K key, final Runnable begin) {
        synchronized (lanes) {
            final Lane lane = lanes.computeIfAbsent(key, same -> new Lane());
            if (lane.running >= atOnce) {
                return lane.waiting.size() < queued && lane.waiting.add(begin);
            }
            lane.running++;
        }
        begin.run();
        return true;
    }

    /** One of the key's things has ended: the next one begins. */
    public void left(final K key) {
        final Runnable next;
        synchronized (lanes) {
            final Lane lane = lanes.get(key);
            if (lane == null) {
                throw new IllegalStateException("nothing of '" + key + "' is running");
            }
            next = lane.waiting.poll();
            if (next == null && --lane.running == 0) {
                lanes.remove(key);
            }
        }
        if (next != null) {
            next.run();
        }
    }
}
