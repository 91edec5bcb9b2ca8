package io.millrace.lab.campaigns.plane;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.story.LiveStack;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowthIT {

    private static final int ROUNDS = 3;

    @TempDir
    private Path folder;

    /** What {@code ./millrace bench growth 30 3 12 3} does. */
    @Test
    void every_service_decides_about_every_change_of_simulated_clusters() {
        final Path file = folder.resolve("figures");
        try (LiveStack stack = LiveStack.openWithoutClusters()) {
            MeasureGrowth.main(new String[] {
                stack.siteFile().toString(), "30", "3", "12", Integer.toString(ROUNDS), "1", file.toString()
            });
        }
        final List<GrowthFigures> sizes = GrowthFigures.read(file);
        assertThat(sizes).singleElement().satisfies(size -> {
            assertThat(size.size()).isEqualTo(new GrowthSize(30, 3, 12));
            assertThat(size.values("latency"))
                    .hasSize(GrowthRounds.Decision.values().length)
                    .allSatisfy((decision, ms) -> assertThat(ms).isPositive());
            assertThat(size.values("heap")).containsKeys("quota", "backfill", "classifier", "migration", "submit");
            // Begun and done of a submission, a release and a start.
            assertThat(size.values("records").get("millrace.outcomes")).isGreaterThanOrEqualTo(6);
        });
        GrowthPage.main(
                new String[] {file.toString(), folder.resolve("growth.svg").toString()});
        assertThat(folder.resolve("growth.svg")).content().contains("<polyline").endsWith("</svg>\n");
        assertThat(Arrays.asList(GrowthSize.Dimension.values()))
                .allSatisfy(dimension ->
                        assertThat(GrowthPage.along(dimension, sizes)).hasSize(1));
    }
}
