package io.millrace.submit.domain.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.submit.domain.handler.Retries.AfterLastTry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetriesTest {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final Retries RETRIES =
            new Retries(8, Duration.ofSeconds(1), Duration.ofSeconds(30), AfterLastTry.DEAD_LETTER);

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
        assertThat(RETRIES.pause(1, Duration.ofDays(10_000), 0)).isEqualTo(Retries.LONGEST_ASKED);
    }

    @Test
    void a_thousandth_try_waits_no_longer_than_the_longest_pause() {
        assertThat(RETRIES.pause(1000, null, 1)).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void impossible_retries_are_refused() {
        assertThatThrownBy(() -> new Retries(0, Duration.ofSeconds(1), Duration.ofSeconds(1), AfterLastTry.PAUSE))
                .hasMessageContaining("'attempts'");
        assertThatThrownBy(() -> new Retries(1, Duration.ofSeconds(2), Duration.ofSeconds(1), AfterLastTry.PAUSE))
                .hasMessageContaining("'initial-backoff'");
    }

    @ParameterizedTest
    @CsvSource({"200", "202", "204", "299"})
    void any_2xx_is_taken(final int status) {
        assertThat(Verdict.of(status, null, NOON)).isEqualTo(new Verdict.Taken());
    }

    @ParameterizedTest
    @CsvSource({"100", "301", "307", "400", "401", "403", "404", "408", "429", "500", "503"})
    void another_try_may_do_better(final int status) {
        assertThat(Verdict.of(status, null, NOON)).isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void gone_is_for_good_and_some_events_are_never_taken() {
        assertThat(Verdict.of(410, null, NOON)).isInstanceOf(Verdict.Gone.class);
        assertThat(Verdict.of(415, null, NOON)).isInstanceOf(Verdict.Rejected.class);
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
        assertThat(((Verdict.Failed) Verdict.of(429, header, NOON)).notBefore()).isEqualTo(pause);
    }

    @ParameterizedTest
    @CsvSource({"soon", "-5", "99999999999999999999"})
    void a_retry_after_that_makes_no_sense_asks_for_nothing(final String header) {
        assertThat(((Verdict.Failed) Verdict.of(503, header, NOON)).notBefore()).isNull();
    }
}
