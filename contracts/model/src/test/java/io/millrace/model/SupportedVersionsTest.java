package io.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.cluster.SupportedVersions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SupportedVersionsTest {

    private static final Path GUIDE = Path.of("..", "..", "docs", "guide", "adapters.md");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slurm 22.05.8",
                "slurm 24.11.7",
                "slurm 26.05.3",
                "slurm 25.05.0-rc1",
                "pbs 14.2.5",
                "pbs 19.2.8.20200925072630",
                "pbs 2022.1.1.20220905103330",
                "pbs 23.06.06",
                "torque 6.1.2",
                "torque OpenPBS_2.3.16",
                "torque master",
                "openlava 4.0.0",
                "openlava 4.0dev4",
                "lsf 9.1.3.0",
                "lsf 10.1.0.12"
            })
    void a_supported_version_has_no_problem(final String wlm) {
        assertThat(SupportedVersions.problem(wlm)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "slurm 21.08.8-2",
                "slurm 26.11.0",
                "slurm 27.05",
                "slurm main",
                "slurm 99999999999999999999.1",
                "pbs 13.1",
                "pbs 24.1",
                "pbs 2024.1.2.20240820",
                "pbs of unknown version",
                "torque 7.0.0",
                "openlava 3.3",
                "openlava 5.0",
                "lsf 8.3",
                "lsf 10.2",
                "lsf unknown",
                "lsf"
            })
    void another_version_is_named_with_the_supported_ones_and_the_remedy(final String wlm) {
        assertThat(SupportedVersions.problem(wlm))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith(wlm + " is not a supported version (")
                        .endsWith("; test the installation with 'millrace-agent accept'"));
    }

    @Test
    void the_sentence_has_the_range() {
        assertThat(SupportedVersions.problem("slurm 27.05.1"))
                .hasValue("slurm 27.05.1 is not a supported version (22.05 to 26.05); test the installation with"
                        + " 'millrace-agent accept'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"local 1 (2 nodes of 4 cores)", "unknown", "flux 0.60", "", "slurm, unknown version: 12 s"})
    void nothing_is_known_of_another_product(final String wlm) {
        assertThat(SupportedVersions.problem(wlm)).isEmpty();
    }

    /** With {@code -Dmillrace.write-guide} the table is written instead. */
    @Test
    void the_guide_lists_the_supported_versions() throws IOException {
        final String guide = Files.readString(GUIDE);
        final String begin = "<!-- table: versions -->\n";
        final int from = guide.indexOf(begin) + begin.length();
        assertThat(from).isGreaterThan(begin.length());
        final String fresh = guide.substring(0, from)
                + SupportedVersions.ALL.stream()
                        .map(one -> "| `" + one.product() + "` | " + one.range() + " | " + one.basis() + " |\n")
                        .collect(Collectors.joining(
                                "", "\n| published as | supported | tried with |\n| --- | --- | --- |\n", "\n"))
                + guide.substring(guide.indexOf("<!-- end -->", from));
        if (System.getProperty("millrace.write-guide") != null) {
            Files.writeString(GUIDE, fresh);
        }
        assertThat(Files.readString(GUIDE))
                .as("run this test with -Dmillrace.write-guide to update the table")
                .isEqualTo(fresh);
    }
}
