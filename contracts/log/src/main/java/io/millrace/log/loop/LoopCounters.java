package io.millrace.log.loop;

import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What the shards of a loop count. */
final class LoopCounters {

    final LongAdder decisions = new LongAdder();
    final LongAdder fenced = new LongAdder();
    final LongAdder reopened = new LongAdder();
    final LongAdder deadLetters = new LongAdder();
    final LongAdder unknownTypes = new LongAdder();
    final SetAsideRecords setAside = new SetAsideRecords();
    private final AtomicReference<@Nullable Instant> lastDecision = new AtomicReference<>();

    void decided(final Instant at) {
        decisions.increment();
        lastDecision.set(at);
    }

    LoopHealth health(
            final boolean brokerAnswers,
            final boolean caughtUp,
            final Set<Integer> assigned,
            final long lag,
            final @Nullable String trouble) {
        return new LoopHealth(
                brokerAnswers,
                caughtUp,
                assigned,
                lag,
                lastDecision.get(),
                decisions.sum(),
                fenced.sum(),
                reopened.sum(),
                deadLetters.sum(),
                unknownTypes.sum(),
                setAside.count(),
                setAside.latest(),
                trouble);
    }
}
