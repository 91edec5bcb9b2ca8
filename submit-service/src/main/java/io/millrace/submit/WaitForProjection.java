package io.millrace.submit;

import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.store.Offsets;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the read model contains a record. This instance signals what it has projected; for the partitions of other instances, the
 * stored offset is polled, because readers see exactly the rows up to it.
 */
@ApplicationScoped
public class WaitForProjection {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final Offsets offsets;
    private final Duration timeout;
    private final Map<Offsets.Partition, Long> projectedHere = new HashMap<>();

    WaitForProjection(final Offsets offsets, final SubmitSettings settings) {
        this.offsets = offsets;
        this.timeout = settings.projectionTimeout();
    }

    /** Returns whether the read model contains the record within the timeout. */
    public boolean passed(final LogPosition position) {
        final long deadline = System.nanoTime() + timeout.toNanos();
        while (!isSignalled(position) && next(position) <= position.offset()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
        }
        return true;
    }

    /** Called after the commit of a batch that this instance has projected. */
    public synchronized void projected(final Collection<LogPosition> positions) {
        positions.forEach(position -> projectedHere.merge(partition(position), position.offset(), Math::max));
        notifyAll();
    }

    /** Waits for the signal, at most until the next poll; does not delay the first poll of a partition of another instance. */
    private synchronized boolean isSignalled(final LogPosition position) {
        final long end = System.nanoTime() + POLL_INTERVAL.toNanos();
        long left = projectedHere.putIfAbsent(partition(position), -1L) == null ? 0 : POLL_INTERVAL.toMillis();
        while (!isProjectedHere(position) && left > 0) {
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while waiting for the read model", e);
            }
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        return isProjectedHere(position);
    }

    private boolean isProjectedHere(final LogPosition position) {
        return Objects.requireNonNull(projectedHere.get(partition(position))) >= position.offset();
    }

    private long next(final LogPosition position) {
        return QuarkusTransaction.requiringNew().call(() -> offsets.next(position.topic(), position.partition()));
    }

    private static Offsets.Partition partition(final LogPosition position) {
        return new Offsets.Partition(position.topic(), position.partition());
    }
}
