package io.millrace.log.loop;

import java.time.Duration;

/** Waiting, before the next try or for more records. */
public final class Sleep {

    private Sleep() {}

    /** Returns at once if the time is not positive. */
    public static void sleep(final Duration time) {
        try {
            Thread.sleep(time);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
