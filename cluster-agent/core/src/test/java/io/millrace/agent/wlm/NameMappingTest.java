package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameMappingTest {

    @ParameterizedTest
    @CsvSource({
        "anna, anna",
        "CORP\\anna, CORP_anna",
        "anna@example.org, anna@example.org",
        "node7$, node7$",
        "a$b, a_b",
        "-x, _x",
        "'', _"
    })
    void characters_that_millrace_does_not_allow_become_underscores(final String name, final UserName user) {
        assertThat(NameMapping.user(name)).isEqualTo(user);
    }

    @Test
    void any_text_is_a_name() {
        final String odd = "\ud83d\ude00 \u0000\u200b/".repeat(200);
        assertThat(NameMapping.user(odd).value()).hasSizeBetween(1, 128);
        assertThat(NameMapping.partition(odd).value()).hasSizeBetween(1, 255);
        assertThat(NameMapping.project("climate/cmip 6")).isEqualTo(ProjectName.of("climate_cmip_6"));
        assertThat(NameMapping.project(" ")).isNull();
        assertThat(NameMapping.partition("")).isEqualTo(PartitionName.of("_"));
    }
}
