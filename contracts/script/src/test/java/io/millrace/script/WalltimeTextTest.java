package io.millrace.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WalltimeTextTest {

    /** The forms of sbatch(1), --time, and ISO 8601. */
    @ParameterizedTest
    @CsvSource({
        "90, PT1H30M",
        "90:30, PT1H30M30S",
        "1:30:15, PT1H30M15S",
        "01:30:00, PT1H30M",
        "26:00:00, PT26H",
        "2-3, PT51H",
        "2-3:30, PT51H30M",
        "2-03:30:10, PT51H30M10S",
        "0-0:0:1, PT1S",
        "PT1H30M, PT1H30M",
        "P1DT2H, PT26H",
        "pt5m, PT5M",
        "' 5 ', PT5M"
    })
    void is_read_as_slurm_writes_it_or_in_iso_8601(final String text, final Duration walltime) {
        assertThat(WalltimeText.parse(text)).isEqualTo(walltime);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "1:2:3:4",
                "1:60",
                "1:00:60",
                "1-",
                "-5",
                "1-2:99",
                "5 minutes",
                "1.5",
                "PT",
                "PT-5M",
                "0",
                "0:00",
                "99999999999999999999",
                "400-0",
                "PT9999999H",
                "１２"
            })
    void an_invalid_walltime_is_refused_with_a_message(final String text) {
        assertThatThrownBy(() -> WalltimeText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text.strip());
    }
}
