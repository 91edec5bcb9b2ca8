package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeSpanTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final Instant NOW = Instant.parse("2026-03-29T12:30:00Z"); // the day on which summer time begins

    @ParameterizedTest
    @CsvSource({
        "today, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
        "Yesterday, 2026-03-27T23:00:00Z, 2026-03-28T23:00:00Z",
        "tomorrow, 2026-03-29T22:00:00Z, 2026-03-30T22:00:00Z",
        "2026-11-01, 2026-10-31T23:00:00Z, 2026-11-01T23:00:00Z",
        "11/01, 2026-10-31T23:00:00Z, 2026-11-01T23:00:00Z",
        "11/01/25, 2025-10-31T23:00:00Z, 2025-11-01T23:00:00Z",
        "11.01, 2026-10-31T23:00:00Z, 2026-11-01T23:00:00Z",
        "110125, 2025-10-31T23:00:00Z, 2025-11-01T23:00:00Z"
    })
    void a_day_is_one_of_the_user(final String text, final Instant from, final Instant until) {
        assertThat(TimeSpan.of(text, NOW, BERLIN)).isEqualTo(new TimeSpan(from, until));
    }

    @ParameterizedTest
    @CsvSource({
        "now, 2026-03-29T12:30:00Z",
        "now-90, 2026-03-29T12:28:30Z",
        "now-2days, 2026-03-27T12:30:00Z",
        "NOW+1week, 2026-04-05T12:30:00Z",
        "09:00, 2026-03-29T07:00:00Z",
        "9:00pm, 2026-03-28T20:00:00Z",
        "12:15 AM, 2026-03-28T23:15:00Z",
        "noon, 2026-03-29T10:00:00Z",
        "teatime, 2026-03-28T15:00:00Z",
        "yesterday 09:00, 2026-03-28T08:00:00Z",
        "11/01/25-09:30, 2025-11-01T08:30:00Z",
        "2026-11-01T09:00, 2026-11-01T08:00:00Z",
        "2026-11-01T09:00:30, 2026-11-01T08:00:30Z",
        "2026-11-01T09:00:30.5Z, 2026-11-01T09:00:30.500Z",
        "2026-11-01T09:00-05:00, 2026-11-01T14:00:00Z"
    })
    void a_time_is_one_of_the_user_unless_it_has_a_zone(final String text, final Instant expected) {
        assertThat(TimeSpan.of(text, NOW, BERLIN)).isEqualTo(new TimeSpan(expected, expected));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "soon", "25:00", "2026-02-30", "now-2fortnights", "now-", "13/13", "now-999999999weeks"})
    void another_word_is_refused(final String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TimeSpan.of(text, Instant.MIN.plusSeconds(1_000_000_000), BERLIN))
                .withMessage("'" + text + "' is not a valid time; use one of " + TimeSpan.FORMS);
    }
}
