package io.millrace.log.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When the next decision is due: shortly after a record was applied, or at the instant that the decider requested. Decisions and their commits take
 * at most one part in {@link #SHARE} of the time, so that under load one decision covers more records.
 */
final class DecisionTimer {

    static final Duration MAX_WAIT = Duration.ofSeconds(5);
    private static final Duration REPEAT_INTERVAL = Duration.ofSeconds(1);
    private static final int SHARE = 4;
    private static final Duration MAX_PAUSE = Duration.ofMillis(500);

    private final Decider decider;
    /** Whether something was applied that no decision has covered yet. */
    private boolean due;

    private long dueAt;
    private long pausedUntil = System.nanoTime();
    private Instant decidedAt = Instant.MIN;

    DecisionTimer(final Decider decider) {
        this.decider = decider;
    }

    /** Makes a decision due after this pause, unless one is due earlier. */
    void due(final Duration after) {
        if (!due) {
            due = true;
            final long soonest = System.nanoTime() + after.toNanos();
            dueAt = soonest - pausedUntil < 0 ? pausedUntil : soonest;
        }
    }

    /** Postpones the decision on later records; {@code busy} is how long the last decision and its commit took. */
    void pauseAfter(final Duration busy) {
        pausedUntil = System.nanoTime()
                + shortest(busy.multipliedBy(SHARE - 1L), MAX_PAUSE).toNanos();
    }

    boolean isDue() {
        return due;
    }

    boolean isTime(final Instant now) {
        return (due && System.nanoTime() - dueAt >= 0) || untilRequested(now).isZero();
    }

    void decided(final Instant now) {
        due = false;
        decidedAt = now;
    }

    /** The time until the next decision, at most {@link #MAX_WAIT}. */
    Duration timeout(final Instant now) {
        final Duration untilDue = due ? Duration.ofNanos(Math.max(0, dueAt - System.nanoTime())) : MAX_WAIT;
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
