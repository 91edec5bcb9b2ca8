package io.millrace.log.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DecisionTimerTest {

    private static final Instant NOON = Instant.parse("2026-11-27T12:00:00Z");
    private static final Duration DEBOUNCE = Duration.ofMillis(50);
    private static final Duration BUSY = Duration.ofMillis(20);

    /** Near the end of the range, where {@link System#nanoTime} may begin. */
    private final AtomicLong nanoTime =
            new AtomicLong(Long.MAX_VALUE - Duration.ofSeconds(2).toNanos());

    private final DecisionTimer timer = new DecisionTimer(new Idle(), nanoTime::get);

    @Test
    void a_few_decisions_after_a_quiet_second_do_not_wait_longer() {
        for (int decision = 0; decision < 5; decision++) {
            assertThat(untilNextDecision()).isEqualTo(DEBOUNCE);
            decide(BUSY);
        }
    }

    @Test
    void under_load_decisions_take_an_eighth_of_the_time() {
        final long begin = nanoTime.get();
        for (int decision = 0; decision < 1000; decision++) {
            untilNextDecision();
            decide(BUSY);
        }
        assertThat(Duration.ofNanos(nanoTime.get() - begin))
                .isBetween(Duration.ofSeconds(158), Duration.ofSeconds(160));
    }

    @Test
    void a_long_decision_delays_the_next_one_by_half_a_second_at_most() {
        decide(Duration.ofSeconds(30));
        assertThat(untilNextDecision()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void a_quiet_hour_saves_one_second() {
        pass(Duration.ofHours(1));
        decide(Duration.ofMillis(150));
        assertThat(untilNextDecision()).isEqualTo(Duration.ofMillis(200));
    }

    /** A record is applied, and time passes until its decision. */
    private Duration untilNextDecision() {
        timer.due(DEBOUNCE);
        final Duration wait = timer.timeout(NOON);
        pass(wait);
        assertThat(timer.isTime(NOON)).isTrue();
        return wait;
    }

    private void decide(final Duration busy) {
        timer.decided(NOON);
        pass(busy);
        timer.pauseAfter(busy);
    }

    private void pass(final Duration time) {
        nanoTime.addAndGet(time.toNanos());
    }

    private static final class Idle implements Decider {

        @Override
        public void apply(final LogRecord record) {
            throw new AssertionError("not used");
        }

        @Override
        public List<OutgoingEvent> decide(final Instant now) {
            throw new AssertionError("not used");
        }
    }
}
