package io.millrace.submit.domain.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeliveryRetriesTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final DeliveryRetries RETRIES =
            new DeliveryRetries(8, Duration.ofSeconds(1), Duration.ofSeconds(30), OnFailure.DEAD_LETTER);

    @Test
    void the_back_off_doubles_up_to_the_maximum() {
        final List<Long> pauses_s = IntStream.rangeClosed(1, 8)
                .mapToObj(failed -> RETRIES.backoff(failed, null, 1).toSeconds())
                .toList();

        assertThat(pauses_s).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
    }

    @Test
    void a_back_off_is_shortened_at_random_by_at_most_half() {
        assertThat(RETRIES.backoff(3, null, 0)).isEqualTo(Duration.ofSeconds(2));
        assertThat(RETRIES.backoff(3, null, 0.5)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void a_delay_requested_by_the_receiver_is_respected_up_to_a_maximum() {
        assertThat(RETRIES.backoff(1, Duration.ofMinutes(10), 0)).isEqualTo(Duration.ofMinutes(10));
        assertThat(RETRIES.backoff(1, Duration.ZERO, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(RETRIES.backoff(1, Duration.ofDays(10_000), 0)).isEqualTo(DeliveryRetries.MAX_REQUESTED);
    }

    @Test
    void many_failures_do_not_exceed_the_maximum_back_off() {
        assertThat(RETRIES.backoff(1000, null, 1)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void invalid_settings_are_refused() {
        assertThatThrownBy(() -> new DeliveryRetries(0, Duration.ofSeconds(1), Duration.ofSeconds(1), OnFailure.PAUSE))
                .hasMessageContaining("'attempts'");
        assertThatThrownBy(() -> new DeliveryRetries(1, Duration.ofSeconds(2), Duration.ofSeconds(1), OnFailure.PAUSE))
                .hasMessageContaining("'initial-backoff'");
    }

    @ParameterizedTest
    @CsvSource({"200", "202", "204", "299"})
    void any_2xx_is_taken(final int status) {
        assertThat(DeliveryResult.of(status, null, NOON)).isEqualTo(new DeliveryResult.Delivered());
    }

    @ParameterizedTest
    @CsvSource({"100", "301", "307", "400", "401", "403", "404", "408", "429", "500", "503"})
    void other_statuses_are_retried(final int status) {
        assertThat(DeliveryResult.of(status, null, NOON)).isInstanceOf(DeliveryResult.Failed.class);
    }

    @Test
    void gone_and_rejected_are_final() {
        assertThat(DeliveryResult.of(410, null, NOON)).isInstanceOf(DeliveryResult.Gone.class);
        assertThat(DeliveryResult.of(415, null, NOON)).isInstanceOf(DeliveryResult.Rejected.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "120 | PT2M",
                "Sun, 1 Mar 2026 12:00:05 GMT | PT5S",
                "Sun, 1 Mar 2026 11:00:00 GMT | PT0S",
            })
    void retry_after_is_seconds_or_a_date(final String header, final Duration pause) {
        assertThat(((DeliveryResult.Failed) DeliveryResult.of(429, header, NOON)).notBefore())
                .isEqualTo(pause);
    }

    @ParameterizedTest
    @CsvSource({"soon", "-5", "99999999999999999999"})
    void an_invalid_retry_after_is_ignored(final String header) {
        assertThat(((DeliveryResult.Failed) DeliveryResult.of(503, header, NOON)).notBefore())
                .isNull();
    }
}
