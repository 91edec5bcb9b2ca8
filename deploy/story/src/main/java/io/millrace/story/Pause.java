package io.millrace.story;

import java.time.Duration;

/** Waits between two observations. */
public final class Pause {

    private Pause() {}

    public static void of(final Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
