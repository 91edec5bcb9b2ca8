package io.millrace.submit;

import io.millrace.submit.domain.log.LogPosition;
import io.millrace.submit.store.Offsets;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Waits until the read model has passed a record, whichever instance projects its partition: the stored offset is asked, since it
 * is what readers see.
 */
@ApplicationScoped
public class WaitForProjection {

    private static final long FIRST_PAUSE_MS = 5;
    private static final long LONGEST_PAUSE_MS = 100;

    private final Offsets offsets;
    private final Duration patience;

    WaitForProjection(final Offsets offsets, final SubmitSettings settings) {
        this.offsets = offsets;
        this.patience = settings.patience();
    }

    /** Returns whether it passed within the patience. */
    public boolean passed(final LogPosition position) {
        final long deadline = System.nanoTime() + patience.toNanos();
        long pause = FIRST_PAUSE_MS;
        while (next(position) <= position.offset()) {
            if (System.nanoTime() > deadline) {
                return false;
            }
            sleep(pause);
            pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
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
