package io.millrace.log.loop;

import java.time.Duration;

/** Waiting before the next try. */
public final class Sleep {

    private Sleep() {}

    public static void sleep(final Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
