package io.millrace.lab.planners.experiment.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lab.planners.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentCheckpointTest {

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(final String... args) {
        return Main.run(
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Stream.concat(Stream.of("experiment", "checkpoint"), Stream.of(args))
                        .toArray(String[]::new));
    }

    @Test
    void the_page_has_a_table_for_each_log_and_states_whether_the_goal_is_met() throws IOException {
        assertThat(run("traces", folder.toString(), "HPC2N3k")).isZero();
        final String page = Files.readString(folder.resolve("checkpoint.md"));
        // Two values of the reference schedule, up to the order of events.
        assertThat(page)
                .contains("3145 jobs on 240 processors.")
                .contains("| EASY | 3470 | +0.0 % |")
                .contains("| HPC2N3k | 60 s |");
        assertThat(page.lines().filter(line -> line.startsWith("| checkpoint, p ")))
                .hasSize(18);
        for (final String chart : List.of("checkpoint-wait.svg", "checkpoint-slowdown.svg")) {
            assertThat(Files.readString(folder.resolve(chart)))
                    .contains("HPC2N3k")
                    .endsWith("</svg>\n");
        }
    }

    @Test
    void reports_errors() {
        assertThat(run("traces")).isEqualTo(2);
        assertThat(run("traces", folder.toString(), "NOWHERE")).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("Usage: millrace experiment checkpoint")
                .contains("NOWHERE.swf.gz'");
    }
}
