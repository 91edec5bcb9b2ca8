package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerStatus;
import io.millrace.submit.domain.handler.HandlerStatus.State;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * State and counters of one handler; blocks deliveries while the handler is paused. Thread-safe.
 *
 * <pre>
 * delivering --failed--> failing --delivered or dead-lettered--> delivering
 *      any --paused--> paused --resumed--> delivering
 * </pre>
 */
public final class HandlerTracker {

    private static final Logger LOG = LoggerFactory.getLogger(HandlerTracker.class);

    private final String name;
    private final String target;
    private final Clock clock;
    private State state = State.DELIVERING;
    private @Nullable Instant since;
    private @Nullable String reason;
    private @Nullable Instant lastDelivered;
    private long delivered;
    private long failedAttempts;
    private long deadLettered;
    private long lag;
    private int resumed;

    HandlerTracker(final Handler handler, final Clock clock) {
        this(handler.name(), handler.target().displayName(), clock);
    }

    public HandlerTracker(final String name, final String target, final Clock clock) {
        this.name = name;
        this.target = target;
        this.clock = clock;
    }

    /** Records accepted events. */
    public synchronized void delivered(final int events) {
        delivered += events;
        lastDelivered = clock.instant();
        recovered();
    }

    /** Records a failed attempt. */
    public synchronized void failed(final String why) {
        failedAttempts++;
        if (state == State.DELIVERING) {
            state = State.FAILING;
            since = clock.instant();
            LOG.atWarn().addKeyValue("handler", name).addKeyValue("reason", why).log("handler is failing");
        }
        if (state == State.FAILING) {
            reason = why;
        }
    }

    synchronized void deadLettered() {
        deadLettered++;
        recovered();
    }

    /** Records that the log can be read. */
    public synchronized void connected() {
        recovered();
    }

    private void recovered() {
        if (state == State.FAILING) {
            LOG.atInfo()
                    .addKeyValue("handler", name)
                    .addKeyValue("after", Duration.between(since, clock.instant()))
                    .log("handler recovered");
            state = State.DELIVERING;
            since = null;
            reason = null;
        }
    }

    /** Stops deliveries until the handler is resumed. */
    public synchronized void pause(final String why) {
        state = State.PAUSED;
        since = clock.instant();
        reason = why;
    }

    /** Continues deliveries and ends a back-off. */
    public synchronized void resume() {
        state = State.DELIVERING;
        since = null;
        reason = null;
        resumed++;
        notifyAll();
    }

    public synchronized void lag(final long events) {
        lag = events;
    }

    /** Waits while the handler is paused. */
    synchronized void awaitResumed() throws InterruptedException {
        while (state == State.PAUSED) {
            wait();
        }
    }

    /** Waits for a back-off, or until the handler is resumed. */
    synchronized void pause(final Duration time) throws InterruptedException {
        final int before = resumed;
        final long until_ns = System.nanoTime() + time.toNanos();
        for (long left_ns = time.toNanos(); left_ns > 0 && before == resumed; left_ns = until_ns - System.nanoTime()) {
            wait(Duration.ofNanos(left_ns).plusMillis(1).toMillis());
        }
    }

    public synchronized HandlerStatus status() {
        return new HandlerStatus(
                name, target, state, since, reason, delivered, failedAttempts, deadLettered, lag, lastDelivered);
    }
}
