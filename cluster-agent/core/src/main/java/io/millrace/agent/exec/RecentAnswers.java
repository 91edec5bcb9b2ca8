package io.millrace.agent.exec;

import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers that stay valid for a short time, so that a burst of jobs of one user starts each program once. Of the failures, only time-outs are
 * kept: who asks again would wait as long. Thread-safe; two threads may ask the same at once.
 */
public final class RecentAnswers<K, T> {

    private static final Duration TIMEOUT_KEPT = Duration.ofSeconds(30);

    private final Map<K, Kept<T>> kept = new ConcurrentHashMap<>();
    private final long valid_ns;
    private final LongSupplier nanoTime;

    private record Kept<T>(Answer<T> answer, long until_ns) {}

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
        if (last != null && now - last.until_ns() < 0) {
            return last.answer();
        }
        kept.values().removeIf(old -> now - old.until_ns() >= 0);
        final Answer<T> answer = ask.get();
        switch (answer) {
            case Answer.Ok<T> ok -> kept.put(key, new Kept<>(ok, now + valid_ns));
            case Answer.Trouble<T> no -> {
                if (no.kind() == Answer.Kind.TIMEOUT) {
                    kept.put(key, new Kept<>(no, nanoTime.getAsLong() + TIMEOUT_KEPT.toNanos()));
                }
            }
        }
        return answer;
    }

    /** Keeps an answer that was found together with others. */
    public void put(final K key, final T answer) {
        kept.put(key, new Kept<>(Answer.ok(answer), nanoTime.getAsLong() + valid_ns));
    }
}
