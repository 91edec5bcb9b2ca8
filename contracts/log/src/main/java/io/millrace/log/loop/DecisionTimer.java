package io.millrace.log.loop;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** When the next decision is due: shortly after a record was applied, or at the instant that the decider requested. */
final class DecisionTimer {

    static final Duration LONGEST_WAIT = Duration.ofMillis(250);
    private static final Duration SAME_WISH_EVERY = Duration.ofSeconds(1);

    private final Decider decider;
    /** Whether something was applied that no decision has covered yet. */
    private boolean due;

    private long dueAt;
    private Instant decidedAt = Instant.MIN;

    DecisionTimer(final Decider decider) {
        this.decider = decider;
    }

    /** A decision is due after this pause; one that is due already comes no later for it. */
    void due(final Duration after) {
        if (!due) {
            due = true;
            dueAt = System.nanoTime() + after.toNanos();
        }
    }

    boolean isDue() {
        return due;
    }

    boolean rings(final Instant now) {
        return (due && System.nanoTime() - dueAt >= 0) || untilWish(now).isZero();
    }

    void decided(final Instant now) {
        due = false;
        decidedAt = now;
    }

    /** How long nothing has to be done, at most a quarter of a second. */
    Duration silence(final Instant now) {
        final Duration untilDue = due ? Duration.ofNanos(Math.max(0, dueAt - System.nanoTime())) : LONGEST_WAIT;
        return shortest(LONGEST_WAIT, shortest(untilDue, untilWish(now)));
    }

    /** Zero if it is time; a wish that has passed already and is still there is granted once a second. */
    private Duration untilWish(final Instant now) {
        final Optional<Instant> wish = decider.wakeAt();
        if (wish.isEmpty()) {
            return LONGEST_WAIT;
        }
        final Instant at = wish.get().isAfter(decidedAt) ? wish.get() : decidedAt.plus(SAME_WISH_EVERY);
        return at.isAfter(now) ? Duration.between(now, at) : Duration.ZERO;
    }

    private static Duration shortest(final Duration one, final Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
