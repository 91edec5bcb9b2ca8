package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that stay valid for a short time, so that a burst of jobs of one user starts each program once. Failures are not kept.
 * Thread-safe; two threads may ask the same at once.
 */
public final class RecentAnswers<K, T> {

    private final Map<K, Kept<T>> kept = new ConcurrentHashMap<>();
    private final long valid_ns;
    private final LongSupplier nanoTime;

    private record Kept<T>(T value, long at_ns) {}

    public RecentAnswers(final Duration valid) {
        this(valid, System::nanoTime);
    }

    /** @param nanoTime as {@link System#nanoTime} */
    RecentAnswers(final Duration valid, final LongSupplier nanoTime) {
        this.valid_ns = valid.toNanos();
        this.nanoTime = nanoTime;
    }

    public Answer<T> get(final K key, final Supplier<Answer<T>> ask) {
        final long now = nanoTime.getAsLong();
        final Kept<T> last = kept.get(key);
        if (last != null && now - last.at_ns() < valid_ns) {
            return Answer.ok(last.value());
        }
        kept.values().removeIf(old -> now - old.at_ns() >= valid_ns);
        return ask.get().map(value -> {
            kept.put(key, new Kept<>(value, now));
            return value;
        });
    }

    /** Keeps an answer that was found together with others. */
    public void put(final K key, final T answer) {
        kept.put(key, new Kept<>(answer, nanoTime.getAsLong()));
    }
}
