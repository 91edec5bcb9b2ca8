package io.millrace.quota.domain.preemption;

import java.time.Duration;

/** Durations as text: {@code 90 s}, {@code 12 min}, {@code 9 h}. */
final class DurationText {

    private static final int TWO = 2;

    private DurationText() {}

    static String of(final Duration span) {
        if (span.toMinutes() < TWO) {
            return span.toSeconds() + " s";
        }
        return span.toHours() < TWO ? span.toMinutes() + " min" : span.toHours() + " h";
    }
}
