package io.millrace.agent.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PollScheduleTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static PollSchedule afterALookOf(final long millis, final boolean answered) {
        return PollSchedule.NOW.after(NOON.minusMillis(millis), NOON, PAUSE, answered);
    }

    @Test
    void without_news_it_comes_after_the_pause() {
        assertThat(afterALookOf(100, true).next(false, false)).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void with_news_it_comes_sooner() {
        assertThat(afterALookOf(100, true).next(false, true)).isEqualTo(NOON.plusMillis(500));
    }

    @Test
    void news_never_make_looking_more_than_a_quarter_of_the_time() {
        assertThat(afterALookOf(1000, true).next(false, true)).isEqualTo(NOON.plusSeconds(3));
    }

    @Test
    void news_never_put_a_look_off() {
        assertThat(afterALookOf(60_000, true).next(false, true)).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void after_a_command_it_comes_at_once_if_the_last_ones_were_short_or_long_ago() {
        assertThat(afterALookOf(20, true).next(true, false)).isBefore(NOON);
    }

    @Test
    void under_load_polls_after_commands_take_a_quarter_of_the_time() {
        PollSchedule next = PollSchedule.NOW;
        Instant now = NOON;
        for (int poll = 0; poll < 100; poll++) {
            next = next.after(now, now.plusMillis(100), PAUSE, true);
            now = now.plusMillis(100);
            now = next.next(true, false).isAfter(now) ? next.next(true, false) : now;
        }
        // A second was saved before.
        assertThat(now).isEqualTo(NOON.plusMillis(100 * 400 - 1000));
    }

    @Test
    void a_command_never_puts_a_look_off() {
        assertThat(afterALookOf(60_000, true).next(true, false)).isEqualTo(NOON.plusSeconds(5));
        assertThat(afterALookOf(100, false).next(true, false)).isEqualTo(NOON.plusSeconds(5));
    }

    @Test
    void who_does_not_answer_is_left_alone_whatever_its_files_say() {
        assertThat(afterALookOf(100, false).next(false, true)).isEqualTo(NOON.plusSeconds(5));
    }
}
