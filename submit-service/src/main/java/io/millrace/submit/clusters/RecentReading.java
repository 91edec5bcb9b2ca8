package io.millrace.submit.clusters;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The result of a query, which is repeated when it has reached a maximum age. Concurrent requests share one query. */
public final class RecentReading<T> {

    private final Duration maxAge;
    private final Supplier<T> query;
    private volatile @Nullable Reading<T> newest;

    public RecentReading(final Duration maxAge, final Supplier<T> query) {
        this.maxAge = maxAge;
        this.query = query;
    }

    private record Reading<T>(T value, long at) {}

    public T value() {
        return value(maxAge);
    }

    /** @param oldest maximum age of the result */
    public T value(final Duration oldest) {
        final Reading<T> reading = newest;
        return reading != null && isRecent(reading, oldest) ? reading.value() : renewed(oldest);
    }

    private synchronized T renewed(final Duration oldest) {
        final Reading<T> meanwhile = newest;
        if (meanwhile != null && isRecent(meanwhile, oldest)) {
            return meanwhile.value();
        }
        final T value = query.get();
        newest = new Reading<>(value, System.nanoTime());
        return value;
    }

    private static boolean isRecent(final Reading<?> reading, final Duration oldest) {
        return System.nanoTime() - reading.at() < oldest.toNanos();
    }
}
