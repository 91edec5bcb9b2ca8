package io.millrace.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeFormatTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT59S, 59s",
        "PT1M, 1m00s",
        "PT59M59S, 59m59s",
        "PT1H, 1h00m",
        "PT23H59M59S, 23h59m",
        "P1D, 1d00h",
        "P400DT5H, 400d05h",
        "PT-5S, 0s"
    })
    void has_at_most_two_units(final Duration age, final String text) {
        assertThat(AgeFormat.format(age)).isEqualTo(text);
    }
}
