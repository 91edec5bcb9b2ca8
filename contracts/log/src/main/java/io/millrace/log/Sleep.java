package io.millrace.log;

import java.time.Duration;

/** Waiting before the next try. */
final class Sleep {

    private Sleep() {}

    static void sleep(final Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
