package io.millrace.lab.planners.verification;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lab.planners.Main;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
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

/** Compares the included logs with their reference schedules, job by job. */
class ReferenceScheduleTest {

    private static final Path TRACES = Path.of("traces/traces");

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void no_start_differs_from_the_reference() throws IOException {
        final List<Path> references = ReferenceSchedule.in(Path.of("traces/oracle"));
        assertThat(references).hasSize(8);
        for (final Path file : references) {
            final ReferenceSchedule reference = ReferenceSchedule.read(file);
            final SwfTrace trace = SwfReader.read(TRACES.resolve(reference.trace() + ".swf.gz"));
            assertThat(reference.differences(Simulation.run(
                            trace.jobs(),
                            trace.maxProcs().orElseThrow(),
                            ReferenceSchedule.policy(reference.policy()),
                            EventOrder.PYSS)))
                    .as(file.toString())
                    .isEmpty();
        }
    }

    private int bench(final String... args) {
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Stream.concat(Stream.of("bench", "traces"), Stream.of(args)).toArray(String[]::new));
    }

    @Test
    void a_start_that_differs_is_reported() throws IOException {
        Files.writeString(folder.resolve("a.swf"), """
                ; MaxProcs: 4
                1 0 -1 10 4 -1 -1 4 20 -1 1 1 -1 -1 -1 -1 -1 -1
                2 5 -1 10 4 -1 -1 4 20 -1 1 1 -1 -1 -1 -1 -1 -1
                """);
        Files.writeString(folder.resolve("a-easy.csv"), "job_id,start\n1,0\n2,11\n");

        assertThat(bench(folder.toString())).isEqualTo(1);
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("1 of 2 starts differ")
                .contains("job 2 starts at 10, in the reference at 11");
        Files.writeString(folder.resolve("a-easy.csv"), "job_id,start\n1,0\n2,10\n");
        assertThat(bench(folder.toString())).isZero();
    }

    @Test
    void reports_errors() {
        assertThat(bench()).isEqualTo(2);
        assertThat(bench(folder.resolve("nowhere").toString())).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("Usage: millrace bench traces")
                .contains("nowhere'");
    }
}
