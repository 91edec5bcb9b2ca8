package io.millrace.quota.domain.priority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.model.UserName;
import io.millrace.model.quota.Usage;
import io.millrace.model.quota.Usage.Decayed;
import io.millrace.quota.domain.QuotaScenario;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** decayed use. */
class DecayedUsageTest {

    private static final Duration HALF_LIFE = Duration.ofDays(7);

    @Test
    void use_decays_to_half_after_a_half_life() {
        assertThat(at(QuotaScenario.NOON.plus(HALF_LIFE)).core_s(usage(0, 10_000, QuotaScenario.NOON)))
                .isCloseTo(5_000, within(1e-6));
    }

    @Test
    void constant_use_converges_to_its_number_of_cores() {
        assertThat(at(QuotaScenario.NOON.plus(HALF_LIFE.multipliedBy(30))).cores(usage(12, 0, QuotaScenario.NOON)))
                .isCloseTo(12, within(1e-6));
    }

    @Test
    void the_result_equals_counting_every_minute() {
        double core_s = 10_000;
        final double perMinute = Math.pow(2, -60.0 / HALF_LIFE.toSeconds());
        for (int minute = 0; minute < 3 * 24 * 60; minute++) {
            core_s = core_s * perMinute + 5 * 60;
        }

        assertThat(at(QuotaScenario.NOON.plus(Duration.ofDays(3))).core_s(usage(5, 10_000, QuotaScenario.NOON)))
                .isCloseTo(core_s, within(core_s * 1e-3));
    }

    @Test
    void intermediate_values_and_restarts_change_only_the_rounding() {
        final Random random = new Random(20260302);
        Usage published = usage(0, 0, QuotaScenario.NOON);
        double counted = 0;
        Instant now = QuotaScenario.NOON;
        for (int change = 0; change < 200; change++) {
            final Duration passed = Duration.ofSeconds(1 + random.nextInt(20_000));
            final double left = Math.pow(2, -passed.toSeconds() / (double) HALF_LIFE.toSeconds());
            counted = counted * left + published.cores() * HALF_LIFE.toSeconds() / Math.log(2) * (1 - left);
            now = now.plus(passed);
            final int cores = random.nextInt(64);
            published = usage(cores, 0, now).with(at(now).published(cores, published));
        }

        assertThat(at(now).core_s(published)).isCloseTo(counted, within(100.0));
    }

    @Test
    void a_clock_that_goes_back_does_not_reduce_use() {
        assertThat(at(QuotaScenario.NOON.minusSeconds(60)).core_s(usage(4, 1000, QuotaScenario.NOON)))
                .isEqualTo(1000);
    }

    private static DecayedUsage at(final Instant now) {
        return new DecayedUsage(HALF_LIFE, now);
    }

    private static Usage usage(final int cores, final long core_s, final Instant at) {
        return new Usage(QuotaScenario.ALPHA, UserName.of("anna"), cores, 0, 0, 0, 0).with(new Decayed(core_s, at));
    }
}
