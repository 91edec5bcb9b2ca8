package io.millrace.submit.projection;

import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.store.Offsets;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until the read model contains a record. This instance signals what it has projected. Only for the partitions of other instances,
 * the stored offset is polled, because readers see exactly the rows up to it.
 */
@ApplicationScoped
public class WaitForProjection {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final Offsets offsets;
    private final Duration timeout;
    /** The first offset that is not projected yet, of each partition that this instance projects. */
    private final Map<Offsets.Partition, Long> here = new ConcurrentHashMap<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private final Condition awaited = lock.newCondition();
    private int waiting;

    WaitForProjection(final Offsets offsets, final SubmitSettings settings) {
        this.offsets = offsets;
        this.timeout = settings.projectionTimeout();
    }

    /** Whether the read model contains the record. */
    public boolean hasPassed(final LogPosition position) {
        return isProjected(position);
    }

    /** Returns whether the read model contains the record within the timeout. */
    public boolean passed(final LogPosition position) {
        final long deadline = System.nanoTime() + timeout.toNanos();
        boolean passed = isProjected(position);
        while (!passed && System.nanoTime() < deadline) {
            awaitChange(position, deadline);
            passed = isProjected(position);
        }
        return passed;
    }

    private boolean isProjected(final LogPosition position) {
        final Long next = here.get(Offsets.Partition.of(position));
        return (next == null ? stored(position) : next) > position.offset();
    }

    private long stored(final LogPosition position) {
        return QuarkusTransaction.requiringNew().call(() -> offsets.next(Offsets.Partition.of(position)));
    }

    private void awaitChange(final LogPosition position, final long deadline) {
        lock.lock();
        try {
            waiting++;
            awaited.signalAll();
            final Long next = here.get(Offsets.Partition.of(position));
            if (next == null) {
                await(advanced, Math.min(deadline, System.nanoTime() + POLL_INTERVAL.toNanos()));
            } else if (next <= position.offset()) { // otherwise it was projected meanwhile
                await(advanced, deadline);
            }
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    /** This instance projects the partition, from {@code next} on. */
    public void assigned(final Offsets.Partition partition, final long next) {
        change(() -> here.merge(partition, next, Math::max));
    }

    /** Another instance projects the partition. */
    public void revoked(final Offsets.Partition partition) {
        change(() -> here.remove(partition));
    }

    /** Called after the commit of a batch that this instance has projected. */
    public void projected(final Collection<LogPosition> positions) {
        change(() -> positions.forEach(position -> here.computeIfPresent(
                Offsets.Partition.of(position), (same, next) -> Math.max(next, position.offset() + 1))));
    }

    private void change(final Runnable change) {
        lock.lock();
        try {
            change.run();
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Pauses the projection, until a request waits for the read model. */
    public void pauseUnlessAwaited(final Duration longest) {
        final long end = System.nanoTime() + longest.toNanos();
        lock.lock();
        try {
            while (waiting == 0 && System.nanoTime() < end) {
                await(awaited, end);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void await(final Condition condition, final long until) {
        try {
            condition.awaitNanos(until - System.nanoTime());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the read model", e);
        }
    }
}
