package io.millrace.submit;

import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.store.Offsets;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Waits until the read model contains a record, whichever instance projects its partition. Polls the stored offset, because readers see
 * exactly the rows up to it.
 */
@ApplicationScoped
public class WaitForProjection {

    private static final long INITIAL_BACKOFF_MS = 5;
    private static final long MAX_BACKOFF_MS = 100;

    private final Offsets offsets;
    private final Duration timeout;

    WaitForProjection(final Offsets offsets, final SubmitSettings settings) {
        this.offsets = offsets;
        this.timeout = settings.projectionTimeout();
    }

    /** Returns whether the read model contains the record within the timeout. */
    public boolean passed(final LogPosition position) {
        final long deadline = System.nanoTime() + timeout.toNanos();
        long pause = INITIAL_BACKOFF_MS;
        while (next(position) <= position.offset()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            sleep(pause);
            pause = Math.min(MAX_BACKOFF_MS, pause * 2);
        }
        return true;
    }

    private long next(final LogPosition position) {
        return QuarkusTransaction.requiringNew().call(() -> offsets.next(position.topic(), position.partition()));
    }

    private static void sleep(final long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the read model", e);
        }
    }
}
