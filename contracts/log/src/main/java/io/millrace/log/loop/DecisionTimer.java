package io.millrace.log.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * When the next decision is due: shortly after a record was applied, or at the instant that the decider requested. Under load, decisions and
 * their commits take at most one part in {@link #SHARE} of the time, so that one decision covers more records. Up to a second of unused time
 * is saved, so that the first decisions after a quiet period do not wait.
 */
final class DecisionTimer {

    static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final Duration REPEAT_INTERVAL = Duration.ofSeconds(1);
    private static final int SHARE = 8;
    private static final Duration MAX_PAUSE = Duration.ofMillis(500);
    private static final Duration MAX_SAVED = Duration.ofSeconds(1);

    private final Decider decider;
    private final LongSupplier nanoTime;
    /** Whether something was applied that no decision has covered yet. */
    private boolean due;

    private long dueAt;
    /** When the time of the last decisions is paid for; in the past by the time that is saved. */
    private long pausedUntil;

    private Instant decidedAt = Instant.MIN;

    /** @param nanoTime {@link System#nanoTime} */
    DecisionTimer(final Decider decider, final LongSupplier nanoTime) {
        this.decider = decider;
        this.nanoTime = nanoTime;
        this.pausedUntil = nanoTime.getAsLong() - MAX_SAVED.toNanos();
    }

    /** Makes a decision due after this pause, unless one is due earlier. */
    void due(final Duration after) {
        if (!due) {
            due = true;
            final long soonest = nanoTime.getAsLong() + after.toNanos();
            dueAt = soonest - pausedUntil < 0 ? pausedUntil : soonest;
        }
    }

    /** Postpones the decision on later records; {@code busy} is how long the last decision and its commit took. */
    void pauseAfter(final Duration busy) {
        final long now = nanoTime.getAsLong();
        final long saved = Math.min(now - pausedUntil, MAX_SAVED.toNanos());
        pausedUntil = now + Math.min(busy.toNanos() * SHARE - saved, MAX_PAUSE.toNanos());
    }

    boolean isDue() {
        return due;
    }

    boolean isTime(final Instant now) {
        return (due && nanoTime.getAsLong() - dueAt >= 0) || untilRequested(now).isZero();
    }

    void decided(final Instant now) {
        due = false;
        decidedAt = now;
    }

    /** The time until the next decision, at most {@link #MAX_WAIT}. */
    Duration timeout(final Instant now) {
        final Duration untilDue = due ? Duration.ofNanos(Math.max(0, dueAt - nanoTime.getAsLong())) : MAX_WAIT;
        return shortest(MAX_WAIT, shortest(untilDue, untilRequested(now)));
    }

    /** Zero if it is time. A requested instant that has passed and is still requested counts once a second. */
    private Duration untilRequested(final Instant now) {
        final Optional<Instant> requested = decider.wakeAt();
        if (requested.isEmpty()) {
            return MAX_WAIT;
        }
        final Instant at = requested.get().isAfter(decidedAt) ? requested.get() : decidedAt.plus(REPEAT_INTERVAL);
        return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
    }

    private static Duration shortest(final Duration one, final Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
