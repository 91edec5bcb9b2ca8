package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServiceProgressTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void a_service_that_has_not_decided_for_a_minute_is_stalled() {
        assertThat(quota(NOON.minusSeconds(60), Duration.ofHours(1)).isStalled())
                .isFalse();

        final ServiceProgress stalled = quota(NOON.minusSeconds(61), Duration.ofHours(1));
        assertThat(stalled.isStalled()).isTrue();
        assertThat(stalled.stall()).startsWith("quota-service has not decided since 2026-03-01T11:58:59Z");
        assertThat(quota(null, Duration.ofHours(1)).stall()).startsWith("quota-service has not decided yet");
    }

    @Test
    void no_service_is_stalled_in_the_first_minute_of_a_stack() {
        assertThat(quota(null, Duration.ofSeconds(60)).isStalled()).isFalse();
        assertThat(quota(NOON.minusSeconds(86_400), Duration.ofSeconds(60)).isStalled())
                .as("the stack was down for a night")
                .isFalse();
        assertThat(quota(null, Duration.ofSeconds(61)).isStalled()).isTrue();
    }

    @Test
    void a_service_is_as_old_as_its_oldest_loop() {
        final LoopReading fresh = LoopReading.none(NOON.minusSeconds(3600)).answered(NOON.minusSeconds(5), NOON);
        final LoopReading old = LoopReading.none(NOON.minusSeconds(3600)).answered(NOON.minusSeconds(90), NOON);
        final ServiceProgress both = ServiceProgress.of("quota-service", List.of(fresh, old));

        assertThat(both.isStalled()).isTrue();
        assertThat(both.decidedAt()).isEqualTo(NOON.minusSeconds(90));
    }

    @Test
    void what_was_read_a_minute_ago_is_no_sign_of_a_stall_now() {
        final LoopReading read = LoopReading.none(NOON.minusSeconds(3600)).answered(NOON.minusSeconds(20), NOON);
        final LoopReading slowBroker = read.unanswered(NOON.plusSeconds(90));

        assertThat(ServiceProgress.of("quota-service", List.of(slowBroker)).isStalled())
                .isFalse();
        assertThat(ServiceProgress.of(
                                "quota-service",
                                List.of(slowBroker.answered(NOON.minusSeconds(20), NOON.plusSeconds(95))))
                        .isStalled())
                .as("the loop could record nothing until then")
                .isFalse();
    }

    /**
     * A loop records progress every 30 s at the latest while the broker answers. The broker is slow at random times, and readings are at random
     * times, at most 10 s apart.
     */
    @Test
    void only_a_loop_that_has_stopped_is_stalled_and_it_is_found_within_two_minutes_of_a_broker_that_answers() {
        int found = 0;
        for (long seed = 1; seed <= 500; seed++) {
            final RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            final int stopsAt_s = random.nextBoolean() ? Integer.MAX_VALUE : random.nextInt(100, 1000);
            LoopReading reading = LoopReading.none(NOON);
            int recorded_s = 0;
            int slowUntil_s = 0;
            int readAt_s = 0;
            int answering_s = 0;
            for (int now_s = 0; now_s < 1800; now_s++) {
                if (random.nextInt(200) == 0) {
                    slowUntil_s = now_s + random.nextInt(1, 300);
                }
                final boolean answers = now_s >= slowUntil_s;
                answering_s = answers ? answering_s + 1 : 0;
                if (answers && now_s < stopsAt_s && now_s >= recorded_s + random.nextInt(1, 31)) {
                    recorded_s = now_s;
                }
                if (now_s >= readAt_s + random.nextInt(1, 11)) {
                    readAt_s = now_s;
                    final Instant now = NOON.plusSeconds(now_s);
                    reading = answers ? reading.answered(NOON.plusSeconds(recorded_s), now) : reading.unanswered(now);
                    final boolean stalled = ServiceProgress.of("quota-service", List.of(reading))
                            .isStalled();
                    final String when = "seed " + seed + " after " + now_s + " s";
                    if (now_s <= stopsAt_s) {
                        assertThat(stalled).as(when).isFalse();
                    } else if (answering_s > 120 && now_s > stopsAt_s + 120) {
                        assertThat(stalled).as(when).isTrue();
                        found++;
                    }
                }
            }
        }
        assertThat(found).isPositive();
    }

    private static ServiceProgress quota(final @Nullable Instant decidedAt, final Duration running) {
        return ServiceProgress.of(
                "quota-service", List.of(LoopReading.none(NOON.minus(running)).answered(decidedAt, NOON)));
    }
}
