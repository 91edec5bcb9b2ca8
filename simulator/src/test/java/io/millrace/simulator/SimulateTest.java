package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line. */
class SimulateTest {

    private static final String SMALL = "src/test/resources/small.swf";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int simulate(final String... args) {
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Stream.concat(Stream.of("simulate"), Stream.of(args)).toArray(String[]::new));
    }

    @Test
    void writes_a_line_per_job_and_the_summary() throws IOException {
        final Path jobs = folder.resolve("jobs.csv");
        final Path summary = folder.resolve("summary.json");

        assertThat(simulate("--trace", SMALL, "--jobs", jobs.toString(), "--summary", summary.toString()))
                .isZero();
        final List<String> lines = Files.readAllLines(jobs);
        assertThat(lines.getFirst())
                .isEqualTo("job,submit,start,end,cores,requested,runtime,wait,backfilled,preemptions,checkpoints,lost");
        assertThat(lines).hasSize(395);
        assertThat(lines.get(1)).startsWith("1,");
        assertThat(Files.readString(summary))
                .contains("\"jobs\": 394,")
                .contains("\"wall_time_s\": ")
                .isEqualTo(out.toString(StandardCharsets.UTF_8));
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("skipped line 54: field 2 is 'oops', not a number")
                .contains("skipped 1 jobs that need more than 64 cores")
                .contains("1 jobs ran longer than requested");
    }

    @Test
    void a_generated_workload_gives_the_same_bytes_for_the_same_seed_and_others_for_another() throws IOException {
        for (final String model : List.of("lublin", "uniform")) {
            final Path one = generated(model, "7", "one");
            assertThat(one).hasSameBinaryContentAs(generated(model, "7", "two"));
            assertThat(Files.readString(one)).isNotEqualTo(Files.readString(generated(model, "8", "three")));
        }
    }

    private Path generated(final String model, final String seed, final String name) throws IOException {
        final Path all = folder.resolve(model + name);
        final StringBuilder text = new StringBuilder();
        final List<String> kinds = List.of("jobs", "segments", "gantt", "swf");
        final List<String> args = new ArrayList<>(List.of(
                "--generate",
                model,
                "--cores",
                "64",
                "--count",
                "300",
                "--policy",
                "checkpoint",
                "--overestimate",
                "1..9",
                "--seed",
                seed,
                "--checkpoint-cost",
                "60",
                "--restart-cost",
                "60",
                "--checkpointable",
                "0.7"));
        kinds.forEach(kind ->
                args.addAll(List.of("--" + kind, folder.resolve(name + kind).toString())));
        assertThat(simulate(args.toArray(String[]::new))).isZero();
        for (final String kind : kinds) {
            text.append(Files.readString(folder.resolve(name + kind)));
        }
        return Files.writeString(all, text);
    }

    @Test
    void a_workload_written_as_a_log_gives_the_same_schedule() throws IOException {
        final Path log = folder.resolve("made.swf");
        final Path one = folder.resolve("one.csv");
        final Path two = folder.resolve("two.csv");
        simulate("--generate", "lublin", "--cores", "64", "--swf", log.toString(), "--jobs", one.toString());
        simulate("--trace", log.toString(), "--jobs", two.toString());

        assertThat(one).hasSameBinaryContentAs(two);
        assertThat(Files.readAllLines(one)).hasSize(1001);
    }

    @Test
    void the_same_trace_gives_the_same_bytes() throws IOException {
        final Path one = folder.resolve("one.csv");
        final Path two = folder.resolve("two.csv");
        simulate("--trace", SMALL, "--compat", "pyss", "--jobs", one.toString());
        simulate("--trace", SMALL, "--compat", "pyss", "--jobs", two.toString());

        assertThat(one).hasSameBinaryContentAs(two);
    }

    @Test
    void reports_errors_in_the_command_line() {
        assertRefused("Unknown options: '--cluster', 'a'", "--trace", SMALL, "--cluster", "a");
        assertRefused("Error: Missing required argument (specify one of these): (--trace=FILE | [--generate=MODEL");
        assertRefused("Missing required parameter for option '--trace' (FILE)", "--trace");
        assertRefused("--cores must be at least 1, got 0", "--trace", SMALL, "--cores", "0");
        assertRefused("Invalid value for option '--cores': 'x' is not an int", "--trace", SMALL, "--cores", "x");
        assertRefused(
                "Invalid value for option '--policy': expected one of [FCFS, EASY, CONSERVATIVE, CHECKPOINT] (case-insensitive)"
                        + " but was 'sjf'",
                "--trace",
                SMALL,
                "--policy",
                "sjf");
        assertRefused(
                "options of checkpoint backfill, such as --shrink, require --policy checkpoint",
                "--trace",
                SMALL,
                "--shrink",
                "0.1");
        assertRefused(
                "shrink must be above 0 and below 1, got 1.0",
                "--trace",
                SMALL,
                "--policy",
                "checkpoint",
                "--shrink",
                "1");
        assertRefused(
                "--compat pyss and --policy checkpoint exclude each other",
                "--trace",
                SMALL,
                "--policy",
                "checkpoint",
                "--compat",
                "pyss");
        assertRefused("--generate needs --cores", "--generate", "lublin");
        assertRefused(
                "Invalid value for option '--width': must be a range such as 1..64, got 'x'",
                "--generate",
                "uniform",
                "--cores",
                "8",
                "--width",
                "x");
        assertRefused(
                "Invalid value for option '--compat': expected one of [PYSS] (case-insensitive) but was 'cqsim'",
                "--trace",
                SMALL,
                "--compat",
                "cqsim");
        assertRefused(
                "option '--cores' (N) should be specified only once", "--trace", SMALL, "--cores", "1", "--cores", "2");
    }

    @Test
    void names_the_file_that_is_missing() {
        assertThat(simulate("--trace", folder.resolve("nowhere.swf").toString()))
                .isEqualTo(1);
        assertThat(simulate(
                        "--trace",
                        SMALL,
                        "--jobs",
                        folder.resolve("no/jobs.csv").toString()))
                .isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("nowhere.swf'")
                .contains("no/jobs.csv'");
    }

    private void assertRefused(final String message, final String... args) {
        err.reset();
        assertThat(simulate(args)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("simulate: " + message);
    }
}
