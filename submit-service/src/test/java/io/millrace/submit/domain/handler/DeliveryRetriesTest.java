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
    void pauses_double_up_to_the_longest() {
        final List<Long> pauses_s = IntStream.rangeClosed(1, 8)
                .mapToObj(failed -> RETRIES.pause(failed, null, 1).toSeconds())
                .toList();

        assertThat(pauses_s).containsExactly(1L, 2L, 4L, 8L, 16L, 30L, 30L, 30L);
    }

    @Test
    void chance_shortens_a_pause_by_at_most_half() {
        assertThat(RETRIES.pause(3, null, 0)).isEqualTo(Duration.ofSeconds(2));
        assertThat(RETRIES.pause(3, null, 0.5)).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void what_the_receiver_asks_for_is_waited_for_but_not_for_ever() {
        assertThat(RETRIES.pause(1, Duration.ofMinutes(10), 0)).isEqualTo(Duration.ofMinutes(10));
        assertThat(RETRIES.pause(1, Duration.ZERO, 1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(RETRIES.pause(1, Duration.ofDays(10_000), 0)).isEqualTo(DeliveryRetries.LONGEST_ASKED);
    }

    @Test
    void a_thousandth_try_waits_no_longer_than_the_longest_pause() {
        assertThat(RETRIES.pause(1000, null, 1)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void impossible_retries_are_refused() {
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
    void another_try_may_do_better(final int status) {
        assertThat(DeliveryResult.of(status, null, NOON)).isInstanceOf(DeliveryResult.Failed.class);
    }

    @Test
    void gone_is_for_good_and_some_events_are_never_taken() {
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
        assertThat(((DeliveryResult.Failed) DeliveryResult.of(429, header, NOON)).notBefore()).isEqualTo(pause);
    }

    @ParameterizedTest
    @CsvSource({"soon", "-5", "99999999999999999999"})
    void a_retry_after_that_makes_no_sense_asks_for_nothing(final String header) {
        assertThat(((DeliveryResult.Failed) DeliveryResult.of(503, header, NOON)).notBefore()).isNull();
    }
}
