package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class LocalTimesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Instant first(final String local) {
        return LocalDateTime.parse(local).atZone(BERLIN).toInstant();
    }

    @Test
    void a_time_of_the_repeated_hour_is_the_second_one_if_the_first_would_be_too_early() {
        final Instant started = first("2026-10-25T02:50:00");
        assertThat(LocalTimes.notBefore(first("2026-10-25T02:10:00"), started, BERLIN))
                .isEqualTo(Instant.parse("2026-10-25T01:10:00Z"));
        assertThat(LocalTimes.notBefore(first("2026-10-25T02:55:00"), started, BERLIN))
                .isEqualTo(Instant.parse("2026-10-25T00:55:00Z"));
    }

    @Test
    void every_other_time_is_unchanged() {
        final Instant started = first("2026-10-25T02:50:00");
        final Instant before = first("2026-10-25T01:59:59");
        assertThat(LocalTimes.notBefore(before, started, BERLIN)).isEqualTo(before);
        final Instant evening = first("2026-10-24T20:00:00");
        assertThat(LocalTimes.notBefore(evening, started, BERLIN)).isEqualTo(evening);
        final Instant repeated = first("2026-10-25T02:10:00");
        assertThat(LocalTimes.notBefore(repeated, first("2026-10-26T09:00:00"), BERLIN))
                .isEqualTo(repeated);
        assertThat(LocalTimes.notBefore(before, started, ZoneId.of("UTC"))).isEqualTo(before);
    }
}
