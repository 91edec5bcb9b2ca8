package io.millrace.simulator.classify;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.simulator.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassifyTest {

    private static final String MODEL = """
            characteristics:
              cores: {type: number, rank: 3, weight: 2.0}
              minutes: {type: number, rank: 2}
              mode: {type: enum, values: [batch, interactive], rank: 1, weight: 1}
            classes:
              small: {mandatory: {cores: {min: 1, max: 1}}, optional: {mode: {oneOf: [batch]}}}
              large: {mandatory: {cores: {min: 2}, minutes: {minExclusive: 60}}}
              quick: {mandatory: {minutes: {max: 5}}}
            stages: [rho, sigma, omega, psi]
            delta: {rho: 0, sigma: 0, omega: 0, psi: 0}
            """;

    @TempDir
    private Path folder;

    private Path model = Path.of("");
    private Path results = Path.of("");
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @BeforeEach
    void writeModel() throws IOException {
        model = Files.writeString(folder.resolve("model.yaml"), MODEL);
        results = folder.resolve("result.jsonl");
    }

    private Path file(final String name, final String... lines) throws IOException {
        return Files.write(folder.resolve(name), List.of(lines));
    }

    private int classify(final Path jobs, final String... more) {
        return Main.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Stream.concat(
                                Stream.of(
                                        "classify",
                                        "--model",
                                        model.toString(),
                                        "--jobs",
                                        jobs.toString(),
                                        "--out",
                                        results.toString()),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private String printed() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String errors() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void an_imported_history_counts_for_psi_and_runs_that_did_not_end_their_job_do_not() throws IOException {
        final String run = """
                {"job":"alpha/%d@2026-03-01T07:30:00Z","name":"x","owner":"bob","partition":"main",\
                "resources":{"cores":1,"nodes":0,"memoryMib":0,"gpus":0},"walltime":"PT3M","run":1,\
                "startedAt":%s,"endedAt":"2026-03-01T08:20:01Z","outcome":{"kind":"%s"},"lostCoreSeconds":0,"source":"swf"}""";
        final String started = "\"2026-03-01T08:00:01Z\"";
        final Path history = file(
                "history.jsonl",
                run.formatted(1, started, "exited"),
                run.formatted(2, "null", "cancelled"),
                run.formatted(3, started, "requeued"));
        final Path jobs = file("jobs.jsonl", """
                {"id":"1","given":{"cores":1,"minutes":3}}""");
        assertThat(classify(jobs, "--history", history.toString())).as(errors()).isZero();
        assertThat(Files.readString(results))
                .contains("\"classes\":[\"quick\"]", "\"psi\":{\"small\":0.0,\"quick\":1.0}");

        Files.writeString(history, run.formatted(4, started, "exited").replace("PT3M", "3 min"));
        assertThat(classify(jobs, "--history", history.toString())).isEqualTo(1);
        assertThat(errors()).contains("history.jsonl, line 1: walltime '3 min' is not a duration such as PT1H30M");
    }

    @Test
    void each_job_gets_a_line_with_its_classes_values_and_closest_miss() throws IOException {
        final Path jobs = file("jobs.jsonl", """
                {"id":"1","given":{"cores":1,"mode":{"oneOf":["batch"]}}}""", """
                {"id":2,"given":{"cores":4,"minutes":{"min":3,"max":4},"mode":null}}""", "", """
                {"id":"3","given":{"cores":4,"minutes":{"min":30,"max":61}}}""");
        assertThat(classify(jobs)).as(errors()).isZero();
        assertThat(Files.readAllLines(results)).containsExactly("""
                        {"id":"1","classes":["small"],"values":{"rho":{"small":1.0},"sigma":{"small":13.0},\
                        "omega":{"small":3.0},"psi":{"small":0.3333333333333333}},"closest":null}""", """
                        {"id":"2","classes":["quick"],"values":{"rho":{"quick":0.6666666666666666},"sigma":{"quick":5.0},\
                        "omega":{"quick":1.0},"psi":{"quick":0.3333333333333333}},"closest":null}""", """
                        {"id":"3","classes":[],"values":{},"closest":{"class":"large","failed":[{"characteristic":"minutes",\
                        "given":{"min":30,"max":61},"allowed":{"minExclusive":60}}]}}""");
        assertThat(printed())
                .contains("classified 3 jobs: 2 in one class, 0 in several, 1 in none")
                .contains("stage rho: of 0 jobs with several candidates, reduced 0 by 0 classes in total");
        assertThat(errors())
                .contains("warning: model file " + model + ": class 'small' overlaps with 'quick': a job can fit both");
    }

    @Test
    void history_decides_between_classes_that_are_equal_otherwise() throws IOException {
        Files.writeString(model, """
                characteristics: {minutes: {type: number}}
                classes: {small: {mandatory: {minutes: {max: 5}}}, medium: {mandatory: {minutes: {min: 5}}}}
                """);
        final Path jobs = file("jobs.jsonl", "{\"id\":\"1\",\"given\":{\"minutes\":5}}");
        assertThat(classify(jobs)).isZero();
        assertThat(Files.readString(results)).contains("\"classes\":[\"small\",\"medium\"]");
        final Path history = file(
                "history.jsonl",
                "{\"id\":\"a\",\"given\":{\"minutes\":4.5},\"classes\":[\"medium\"]}",
                "{\"id\":\"b\",\"given\":{\"minutes\":6}}",
                "{\"id\":\"c\",\"given\":{\"minutes\":4}}",
                "{\"id\":\"d\",\"given\":{\"minutes\":100},\"classes\":[\"small\"]}");
        assertThat(classify(jobs, "--history", history.toString())).isZero();
        assertThat(Files.readString(results))
                .contains("\"classes\":[\"medium\"]")
                .contains("\"psi\":{\"small\":0.3333333333333333,\"medium\":0.6666666666666666}");
        assertThat(printed()).contains("stage psi: of 1 jobs with several candidates, reduced 1 by 1 classes in total");
    }

    @Test
    void a_line_with_an_error_is_reported_by_number_and_skipped() throws IOException {
        final Path jobs = file(
                "jobs.jsonl",
                "{\"id\":\"1\",\"given\":{\"cores\":1}}",
                "{\"id\":\"2\",\"given\":{\"cores\":",
                "{\"id\":\"3\",\"given\":{}}",
                "{\"id\":\"4\",\"given\":{\"core\":1}}",
                "{\"id\":\"5\",\"given\":{\"mode\":\"nightly\"}}",
                "{\"id\":\"6\",\"given\":{\"minutes\":{\"min\":4,\"max\":3}}}",
                "{\"id\":\"7\",\"given\":{\"cores\":\"four\"}}",
                "{\"given\":{\"cores\":1}}",
                "{\"id\":\"9\"}",
                "[]",
                "{\"id\":\"11\",\"given\":{\"cores\":1}} trailing");
        assertThat(classify(jobs)).isEqualTo(1);
        assertThat(Files.readAllLines(results)).hasSize(1);
        assertThat(errors())
                .contains(jobs + ", line 2: not valid JSON")
                .contains(jobs + ", line 3: the job gives no characteristic: give at least one")
                .contains(jobs + ", line 4: 'core' is not a characteristic of the model")
                .contains(jobs + ", line 5: mode: 'nightly' is not inside {batch, interactive}")
                .contains(jobs + ", line 6: minutes: '[4,3]' is empty: no value satisfies it")
                .contains(jobs + ", line 7: cores: expected a number, 'unlimited' or {min, max}, got \"four\"")
                .contains(jobs + ", line 8: 'id' must be a text or a number, got null")
                .contains(jobs + ", line 9: 'given' must be an object of characteristics, got null")
                .contains(jobs + ", line 10: expected a JSON object")
                .contains(jobs + ", line 11: not valid JSON");
    }

    @Test
    void a_wrong_model_or_file_is_named() throws IOException {
        final Path jobs = file("jobs.jsonl", "{\"id\":\"1\",\"given\":{\"cores\":1}}");
        assertThat(classify(folder.resolve("none.jsonl"))).isEqualTo(1);
        assertThat(errors()).contains("classify: file or folder '" + folder.resolve("none.jsonl") + "' not found");
        final Path elsewhere = results;
        results = jobs;
        assertThat(classify(jobs)).isEqualTo(2);
        assertThat(errors()).contains("--out must not be the input file " + jobs);
        results = elsewhere;
        Files.writeString(model, "classes: {a: 5}");
        assertThat(classify(jobs)).isEqualTo(2);
        assertThat(errors())
                .contains("model file " + model
                        + ", line 1, column 14: expected a mapping with the keys mandatory, optional");
    }
}
