package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.script.JobSetting;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Amounts of memory in all forms of the bsub manual: the greatest need counts, or the script is refused. */
class LsfMemoryTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "-M 8GB!; 8192",
                "-M 8GB; 8192",
                "-M 8g!; 8192",
                "-M '8GB !'; 8192",
                "-M 2048; 2",
                "-M 0.5TB; 524288",
                "-R rusage[mem=4000]; 4000",
                "-R rusage[mem=4GB/host]; 4096",
                "-R rusage[mem=2PB]; 2147483648",
                "-R \"rusage[mem=(10 5):duration=(5 5)]\"; 10",
                "-R \"rusage[mem=(1GB 4GB 2GB):duration=(1h 2h)]\"; 4096",
                "-R \"rusage[mem=(400 200):duration=(10):decay=(0)]\"; 400",
                "-R \"rusage[mem=10||mem=5]\"; 10",
                "-R \"rusage[mem=5 || mem=1GB:duration=5]\"; 1024"
            })
    void the_greatest_need_is_requested(final String options, final long mib) {
        final ParsedScript script = read("-n 1 " + options.replace('\'', '"'));
        assertThat(script.problems()).isEmpty();
        assertThat(script.request().memoryMib()).isEqualTo(mib);
    }

    @ParameterizedTest
    @CsvSource({"1ZB", "1zb", "2EB"})
    void an_absurd_amount_is_too_large_and_not_a_syntax_error(final String amount) {
        assertThat(read("-M " + amount).problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.reason()).contains("too large"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-R \"rusage[mem=20:a=1||mem=20:b=1]\"",
                "-R \"rusage[a=1||b=1]\"",
                "-R \"rusage[mem=10/job||mem=5/task]\"",
                "-R \"rusage[mem=10/core]\"",
                "-R \"rusage[mem=()]\"",
                "-R \"rusage[mem=(10 5]\"",
                "-R \"rusage[mem=10||]\"",
                "-R \"{rusage[mem=10]} || {rusage[mem=5]}\"",
                "-R \"2*{rusage[mem=10]} + {rusage[mem=5]}\"",
                "-M 8GB!!",
                "-M !"
            })
    void what_has_no_greatest_need_is_refused(final String options) {
        assertThat(read(options).problems()).hasSize(1);
    }

    @Test
    void a_hard_limit_is_noted() {
        assertThat(read("-M 8GB!").options())
                .anySatisfy(option -> assertThat(option.setting()).isInstanceOf(JobSetting.Unsupported.class));
    }

    private static ParsedScript read(final String options) {
        return ScriptParser.read("#!/bin/sh\n#BSUB " + options + "\n");
    }
}
