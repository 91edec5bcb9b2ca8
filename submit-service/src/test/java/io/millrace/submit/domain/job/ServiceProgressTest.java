package io.millrace.submit.domain.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
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

    private static ServiceProgress quota(final @Nullable Instant decidedAt, final Duration running) {
        return new ServiceProgress("quota-service", decidedAt, NOON.minus(running), NOON);
    }
}
