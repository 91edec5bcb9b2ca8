package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerStatus;
import io.millrace.submit.domain.handler.HandlerStatus.State;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * How one handler is doing, and the door that its deliveries pass: shut while it is paused. Thread-safe.
 *
 * <pre>
 * delivering --failed--> failing --taken or put aside--> delivering
 *      any --paused--> paused --resumed--> delivering
 * </pre>
 */
public final class HandlerTracker {

    private static final Logger LOG = Logger.getLogger(HandlerTracker.class);

    private final String name;
    private final String target;
    private final Clock clock;
    private State state = State.DELIVERING;
    private @Nullable Instant since;
    private @Nullable String because;
    private @Nullable Instant lastDelivered;
    private long delivered;
    private long failedTries;
    private long deadLettered;
    private long behind;
    private int resumed;

    HandlerTracker(final Handler handler, final Clock clock) {
        this(handler.name(), handler.target().shown(), clock);
    }

    public HandlerTracker(final String name, final String target, final Clock clock) {
        this.name = name;
        this.target = target;
        this.clock = clock;
    }

    /** It has taken so many events. */
    public synchronized void taken(final int events) {
        delivered += events;
        lastDelivered = clock.instant();
        recovered();
    }

    /** A try went wrong. */
    public synchronized void failed(final String why) {
        failedTries++;
        if (state == State.DELIVERING) {
            state = State.FAILING;
            since = clock.instant();
            LOG.warnf("a handler is failing: handler=%s reason=%s", name, why);
        }
        if (state == State.FAILING) {
            because = why;
        }
    }

    synchronized void putAside() {
        deadLettered++;
        recovered();
    }

    /** The log can be followed. */
    public synchronized void follows() {
        recovered();
    }

    private void recovered() {
        if (state == State.FAILING) {
            LOG.infof("a handler delivers again: handler=%s after=%s", name, Duration.between(since, clock.instant()));
            state = State.DELIVERING;
            since = null;
            because = null;
        }
    }

    /** Nothing more is delivered until it is resumed. */
    public synchronized void pause(final String why) {
        state = State.PAUSED;
        since = clock.instant();
        because = why;
    }

    /** Deliveries go on; pauses end at once. */
    public synchronized void resume() {
        state = State.DELIVERING;
        since = null;
        because = null;
        resumed++;
        notifyAll();
    }

    public synchronized void behind(final long events) {
        behind = events;
    }

    /** Returns when deliveries may go on. */
    synchronized void awaitOpen() throws InterruptedException {
        while (state == State.PAUSED) {
            wait();
        }
    }

    /** Waits for so long, or until it is resumed. */
    synchronized void pause(final Duration time) throws InterruptedException {
        final int before = resumed;
        final long until_ns = System.nanoTime() + time.toNanos();
        for (long left_ns = time.toNanos(); left_ns > 0 && before == resumed; left_ns = until_ns - System.nanoTime()) {
            wait(Duration.ofNanos(left_ns).plusMillis(1).toMillis());
        }
    }

    public synchronized HandlerStatus shown() {
        return new HandlerStatus(
                name, target, state, since, because, delivered, failedTries, deadLettered, behind, lastDelivered);
    }
}
