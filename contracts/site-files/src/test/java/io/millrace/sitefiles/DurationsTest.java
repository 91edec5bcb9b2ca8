package io.millrace.sitefiles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "10s, PT10S", "5 m, PT5M", "2h, PT2H", "14D, P14D", "PT1M30S, PT90S", "0s, PT0S"})
    void durations_are_read(final String text, final Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "-1m", "-PT1M", "soon", "9999999999s"})
    void other_text_is_rejected(final String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.parse(text))
                .withMessageContaining("is not a valid duration");
    }

    @Test
    void a_duration_is_written_in_its_largest_whole_unit() {
        assertThat(Durations.format(Duration.ofMillis(1500))).isEqualTo("1500ms");
        assertThat(Durations.format(Duration.ofSeconds(90))).isEqualTo("90s");
        assertThat(Durations.format(Duration.ofMinutes(90))).isEqualTo("90m");
        assertThat(Durations.format(Duration.ofHours(48))).isEqualTo("48h");
    }
}
