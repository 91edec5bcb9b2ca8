package io.millrace.agent.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.SitePartition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteMappingFileTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");

    @Test
    void a_whole_file_is_read() {
        assertThat(SiteMappingFile.read(ALPHA, "site-mapping.yaml", """
            # what alpha calls the site's things
            listed-only: true
            accounts:
              anna.schmidt@hpc.example: as12
              007: bond            # a name, not a number
            projects:
              climate: p0042
            modules:
              gcc: [env/2024, GCC/13.2.0]
              python: Python/3.11
            """))
                .isEqualTo(new SiteMappingObserved(
                        ALPHA,
                        true,
                        Map.of(
                                UserName.of("anna.schmidt@hpc.example"), UserName.of("as12"),
                                UserName.of("007"), UserName.of("bond")),
                        Map.of(ProjectName.of("climate"), ProjectName.of("p0042")),
                        Map.of("gcc", List.of("env/2024", "GCC/13.2.0"), "python", List.of("Python/3.11"))));
    }

    @Test
    void an_empty_file_changes_no_name() {
        assertThat(SiteMappingFile.read(ALPHA, "site-mapping.yaml", "# nothing yet\n")
                        .listedOnly())
                .isFalse();
        assertThat(SiteMappingFile.read(ALPHA, "site-mapping.yaml", "accounts:\n")
                        .accounts())
                .isEmpty();
    }

    @Test
    void the_site_has_names_for_partitions() {
        assertThat(SiteMappingFile.read(ALPHA, "site-mapping.yaml", """
            partitions:
              normal: main
              gpu: [a100, v100]
            partition-limits:
              gpu: {walltime: 24h, cores: 64, nodes: 2, gpus: 8}
            """).sitePartitions())
                .isEqualTo(Map.of(
                        PartitionName.of("normal"),
                        SitePartition.of(PartitionName.of("main")),
                        PartitionName.of("gpu"),
                        new SitePartition(
                                List.of(PartitionName.of("a100"), PartitionName.of("v100")),
                                Duration.ofDays(1),
                                64,
                                2,
                                8)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "accounts:\\n  anna: as12\\n  anna: as13~line 3, column 3~duplicate key 'anna'",
                "accounts:\\n  anna: -rm~line 2~not a valid user",
                "account:\\n  anna: as12~line 1, column 1~'account' is not a known key; expected listed-only, accounts",
                "listed-only: maybe~line 1~true or false",
                "accounts:\\n- anna~line 2~expected a mapping",
                "accounts:\\n  anna: [a, b]~line 2~expected a single value",
                "modules:\\n  gcc: [GCC/13, '$(id)']~line 2~'$(id)' is not a valid module name",
                "partitions:\\n  gpu: []~line 2~needs at least one partition",
                "partition-limits:\\n  gpu: {cores: 4}~line 2~'partitions: gpu' is missing: add it",
                "projects:\\n  climate: 'a b'~line 2~not a valid project",
                "accounts: {anna: as12~line 1, column 22~not valid YAML"
            })
    void a_bad_line_is_named(final String text, final String line, final String because) {
        assertThatThrownBy(() -> SiteMappingFile.read(ALPHA, "site-mapping.yaml", text.replace("\\n", "\n")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(line)
                .hasMessageContaining(because);
    }

    @Test
    void a_change_is_taken_up_and_a_bad_one_leaves_the_last_in_force(@TempDir final Path folder) throws IOException {
        final Path file = folder.resolve("site-mapping.yaml");
        write(file, "accounts:\n  anna: as12\n", 1);
        final SiteMapping siteMapping = SiteMapping.of(ALPHA, file);
        assertThat(siteMapping.names().account(UserName.of("anna"))).isEqualTo(UserName.of("as12"));

        write(file, "accounts:\n  anna: as13\n", 2);
        siteMapping.refresh();
        assertThat(siteMapping.names().account(UserName.of("anna"))).isEqualTo(UserName.of("as13"));

        write(file, "accounts:\n  anna: as13\n  anna: as14\n", 3);
        siteMapping.refresh();
        assertThat(siteMapping.names().account(UserName.of("anna"))).isEqualTo(UserName.of("as13"));
        assertThat(siteMapping.problem()).contains("site-mapping.yaml").contains("line 3");

        Files.delete(file);
        siteMapping.refresh();
        assertThat(siteMapping.problem()).contains("cannot be read");

        write(file, "accounts:\n  anna: as15\n", 4);
        siteMapping.refresh();
        assertThat(siteMapping.names().account(UserName.of("anna"))).isEqualTo(UserName.of("as15"));
        assertThat(siteMapping.problem()).isNull();
    }

    @Test
    void an_agent_does_not_begin_with_a_file_it_cannot_read(@TempDir final Path folder) {
        assertThatThrownBy(() -> SiteMapping.of(ALPHA, folder.resolve("missing.yaml")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("missing.yaml");
    }

    private static void write(final Path file, final String text, final long at) throws IOException {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_700_000_000 + at)));
    }
}
