package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.BatchId;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** People name jobs by short numbers: {@code 4711}, {@code 4711_4}. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class JobNumbersIT extends JobsScene {

    private static final String JOBS = "/api/v1/jobs";
    private static final String BATCHES = "/api/v1/batches";

    private static String body(final String more) {
        return """
            {"command": ["sleep", "1"], "walltime": "60", "source": "alpha", "directory": "/home/anna/run", %s}\
            """.formatted(more);
    }

    private JsonNode accepted(final ApiClient.Answer answer) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
        return answer.body();
    }

    private JsonNode job() {
        return accepted(mine.post(JOBS, body("\"cores\": 1")));
    }

    private JsonNode batch(final String array, final String... headers) {
        return accepted(mine.post(BATCHES, body("\"array\": \"" + array + "\""), headers));
    }

    @Test
    void a_number_names_its_job_in_every_path() {
        final JsonNode job = job();
        final String number = job.path("number").asText();

        assertThat(number).matches("[1-9]\\d*");
        assertThat(mine.get(JOBS + "/" + number).body().path("id")).isEqualTo(job.path("id"));
        assertThat(mine.get(JOBS + "/" + number + "/why").status()).isEqualTo(200);
        for (final String change : List.of("hold", "release", "stop")) {
            assertThat(accepted(mine.post(JOBS + "/" + number + "/" + change, "{}"))
                            .path("id"))
                    .isEqualTo(job.path("id"));
        }
    }

    @Test
    void no_two_requests_at_the_same_time_get_the_same_number() {
        final Set<String> numbers = new TreeSet<>(IntStream.range(0, 120)
                .parallel()
                .mapToObj(any -> job().path("number").asText())
                .toList());
        assertThat(numbers).hasSize(120);
    }

    @Test
    void a_repeated_request_has_the_number_of_the_first() {
        final String first = accepted(mine.post(JOBS, body("\"cores\": 1"), "Idempotency-Key", user + "-one"))
                .path("number")
                .asText();
        assertThat(accepted(mine.post(JOBS, body("\"cores\": 1"), "Idempotency-Key", user + "-one"))
                        .path("number")
                        .asText())
                .isEqualTo(first);

        final String batch =
                batch("1-3", "Idempotency-Key", user + "-three").path("number").asText();
        assertThat(batch("1-3", "Idempotency-Key", user + "-three")
                        .path("number")
                        .asText())
                .isEqualTo(batch)
                .isNotEqualTo(first);
    }

    @Test
    void a_job_knows_its_number_and_its_output_is_named_by_it() {
        final JsonNode job = job();
        final String number = job.path("number").asText();
        assertThat(job.path("environment").path("MILLRACE_JOB_NUMBER").asText()).isEqualTo(number);
        assertThat(job.path("environment").path("MILLRACE_OUTPUT").asText()).isEqualTo("millrace-" + number + ".out");

        final String batch =
                batch("3-4", "Idempotency-Key", user + "-array").path("number").asText();
        final JsonNode task = mine.get(JOBS + "/" + batch + "_4").body().path("environment");
        assertThat(task.path("MILLRACE_JOB_NUMBER").asText()).isEqualTo(batch + "_4");
        assertThat(task.path("MILLRACE_OUTPUT").asText()).isEqualTo("millrace-" + batch + "_4.out");
        assertThat(task.path("MILLRACE_ARRAY_JOB").asText()).isEqualTo(batch);
        assertThat(task.path("SLURM_ARRAY_JOB_ID").asText()).isEqualTo(batch);
    }

    @Test
    void a_number_in_a_script_for_one_cluster_is_a_job_of_millrace_which_a_note_says() {
        final String number = job().path("number").asText();
        final String script = """
            {"script": "#!/bin/sh\\n#SBATCH -d afterok:%s\\n", "walltime": "60", "source": "alpha",
             "directory": "/home/anna/run", "target": "alpha"}\
            """.formatted(number);
        assertThat(accepted(mine.post(JOBS, script)).path("notes").toString())
                .contains(number + " is job " + number + " of Millrace", "is written alpha/" + number);
    }

    @Test
    void the_jobs_of_a_batch_have_its_number_and_their_index() {
        final JsonNode batch = batch("0-20%4");
        final String number = batch.path("number").asText();
        final BatchId id = BatchId.of(batch.path("id").asText());

        final JsonNode task = mine.get(JOBS + "/" + number + "_7").body();
        assertThat(task.path("id").asText()).isEqualTo(id.job(8).value());
        assertThat(task.path("number").asText()).isEqualTo(number + "_7");
        assertThat(mine.get(BATCHES + "/" + number).body().path("jobs").asInt()).isEqualTo(21);
        assertThat(mine.get(JOBS + "?batch=" + number + "&limit=2").body().path("jobs"))
                .hasSize(2);
        isRefused(mine.get(JOBS + "/" + number + "_21"), 404, "job " + number + "_21 not found");
        isRefused(mine.get(BATCHES + "/" + number + "_7"), 404, "a single job, not a batch");
    }

    @Test
    void a_list_can_show_a_batch_as_one_with_the_number_of_its_jobs_in_each_state() {
        final String first = job().path("number").asText();
        final String batch = batch("1-5%2").path("number").asText();
        final String last = job().path("number").asText();
        final JsonNode page = mine.get(JOBS + "?collapse=true&limit=2").body();
        assertThat(page.path("jobs").findValuesAsText("number")).containsExactly(last, batch);
        assertThat(page.path("jobs").get(0).has("tasks")).isFalse();
        final JsonNode tasks = page.path("jobs").get(1).path("tasks");
        assertThat(tasks.path("first").asInt()).isEqualTo(1);
        assertThat(tasks.path("last").asInt()).isEqualTo(5);
        assertThat(tasks.path("maxConcurrent").asInt()).isEqualTo(2);
        assertThat(tasks.path("jobs").asInt()).isEqualTo(5);
        assertThat(tasks.path("counts").toString()).isEqualTo("[{\"state\":\"waiting\",\"jobs\":5}]");
        assertThat(page.path("jobs").get(1).has("index")).isFalse();
        assertThat(mine.get(JOBS + "?collapse=true&limit=2&after="
                                + page.path("next").asText())
                        .body()
                        .path("jobs")
                        .findValuesAsText("number"))
                .containsExactly(first);
    }

    @Test
    void a_batch_is_found_where_a_job_can_be_named() {
        final JsonNode batch = batch("1-2");
        final String number = batch.path("number").asText();
        final String there = BATCHES + "/" + batch.path("id").asText();

        for (final String named : List.of(number, batch.path("id").asText())) {
            for (final String route : List.of("", "/stop")) {
                final ApiClient.Answer answer =
                        route.isEmpty() ? mine.get(JOBS + "/" + named) : mine.post(JOBS + "/" + named + route, "{}");
                assertThat(answer.status()).isEqualTo(307);
                assertThat(answer.header("Location")).endsWith(there + route);
            }
            isRefused(mine.get(JOBS + "/" + named + "/why"), 409, "is a batch", "mgstat --batch");
        }
    }

    @Test
    void a_dependency_names_jobs_batches_and_tasks_by_number() {
        final JsonNode job = job();
        final JsonNode batch = batch("1-3");
        final String other = batch.path("number").asText();
        final String named = "afterok:" + job.path("number").asText() + ":" + other + "_2,afterany:" + other;

        final String kept = "afterok:" + job.path("number").asText() + ",afterok:" + other + "_2,afterany:" + other;
        assertThat(accepted(mine.post(JOBS, body("\"dependency\": \"" + named + "\"")))
                        .path("dependency")
                        .asText())
                .isEqualTo(kept);
        for (final String directive : List.of("#SBATCH -d " + named, "#PBS -W depend=" + named)) {
            assertThat(accepted(mine.post(JOBS, """
                {"script": "#!/bin/sh\\n%s\\n", "walltime": "60", "source": "alpha", "directory": "/home/anna/run"}\
                """.formatted(directive)))
                            .path("dependency")
                            .asText())
                    .isEqualTo(kept);
        }
        assertThat(accepted(mine.post(BATCHES, body("\"array\": \"1-3\", \"dependency\": \"aftercorr:" + other + "\"")))
                        .path("jobs")
                        .asInt())
                .isEqualTo(3);
        isRefused(
                mine.post(JOBS, body("\"dependency\": \"afterok:999999999\"")),
                422,
                "job 999999999, which was not found",
                "CLUSTER/999999999");
    }

    @Attack("names the jobs of others by guessing numbers, in paths, filters and dependencies")
    @Test
    void the_number_of_another_users_job_is_not_found() {
        final ApiClient mallory = ApiClient.as("mallory");
        final String job = job().path("number").asText();
        final String batch = batch("1-2").path("number").asText();

        for (final String named : List.of(job, batch, batch + "_1")) {
            isRefused(mallory.get(JOBS + "/" + named), 404, "job " + named + " not found");
            isRefused(mallory.get(JOBS + "/" + named + "/why"), 404, "not found");
            isRefused(mallory.post(JOBS + "/" + named + "/stop", "{}"), 404, "not found");
            isRefused(mallory.get(BATCHES + "/" + named), 404, "not found");
            isRefused(mallory.get(JOBS + "?batch=" + named), 400, "not found");
            isRefused(
                    mallory.post(JOBS, body("\"dependency\": \"afterany:" + named + "\"")), 422, "which was not found");
        }
        assertThat(operators.get(JOBS + "/" + job).status()).isEqualTo(200);
    }
}
