package io.millrace.backfill.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.SiteSettings;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFileTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");

    @TempDir
    Path folder;

    private Map<ClusterId, SiteSettings> read(final String text) throws IOException {
        return SiteFile.read(Files.writeString(folder.resolve("site.yaml"), text));
    }

    @Test
    void the_example_of_the_operator_guide_is_valid() throws IOException {
        final SiteSettings site = read(exampleOfTheGuide()).get(ALPHA);

        assertThat(site.licences()).containsExactly(Map.entry("ansys", 20));
        assertThat(site.windows())
                .containsExactly(
                        new MaintenanceWindow(
                                at("2026-12-01T07:00:00Z"),
                                at("2026-12-01T17:00:00Z"),
                                512,
                                null,
                                List.of(),
                                "cooling is renewed"),
                        new MaintenanceWindow(
                                at("2026-12-07T00:00:00Z"),
                                at("2026-12-08T00:00:00Z"),
                                2,
                                PartitionName.of("gpu"),
                                List.of(NodeName.of("g01"), NodeName.of("g02")),
                                "reserved for the course"));
    }

    /** The indented lines of the section. */
    private static String exampleOfTheGuide() throws IOException {
        final String guide = Files.readString(Path.of("../docs/guide/operator.md"));
        return guide.substring(guide.indexOf("## Licences and maintenance windows"))
                .lines()
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> line.startsWith("    "))
                .map(line -> line.substring(4))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void a_window_without_until_has_no_end() throws IOException {
        final SiteSettings site =
                read("clusters: { alpha: { windows: [ { from: '2026-12-01T00:00:00Z', cores: 1, reason: x } ] } }")
                        .get(ALPHA);

        assertThat(site.windows().getFirst().until_s()).isEqualTo(ShadowTime.NEVER);
    }

    @Test
    void an_error_is_reported_with_its_position() {
        assertThatThrownBy(() -> read("clusters:\n  alpha:\n    windows:\n      - from: tomorrow\n"))
                .hasMessageContaining("line 4, column 15")
                .hasMessageContaining("'tomorrow' is not a valid time: use a form such as");
        assertThatThrownBy(() -> read("clusters: { alpha: { licenses: { ansys: 2 } } }"))
                .hasMessageContaining("'licenses' is not a known key; expected licences, windows");
        assertThatThrownBy(
                        () -> read("clusters: { alpha: { windows: [ { from: '2026-12-01T00:00:00Z', nodes: n1 } ] } }"))
                .hasMessageContaining("expected a list: [ … ]");
    }

    private static long at(final String time) {
        return Instant.parse(time).getEpochSecond();
    }
}
