package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobNumber;
import io.millrace.model.job.JobSubmitted;
import io.millrace.script.NumberVariables;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.domain.submission.JobValidator;
import io.millrace.submit.domain.submission.Ulid;
import io.millrace.submit.domain.submission.ValidJob;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class BatchesIT extends JobsScene {

    private static final String BATCHES = "/api/v1/batches";

    private static String body(final String more) {
        return """
            {"command": ["sleep", "1"], "walltime": "60", "source": "alpha", "directory": "/home/anna/run", %s}\
            """.formatted(more);
    }

    private ApiClient.Answer batch(final String more, final String... headers) {
        return mine.post(BATCHES, body(more), headers);
    }

    private JsonNode shown(final ApiClient.Answer accepted) {
        assertThat(accepted.status()).as("%s", accepted.body()).isEqualTo(202);
        return mine.get(
                        accepted.header("Location").replaceFirst("^https?://[^/]+", ""),
                        "Millrace-Offset",
                        accepted.header("Millrace-Offset"))
                .body();
    }

    @Test
    void a_thousand_jobs_are_one_request_and_one_view() {
        final ApiClient.Answer accepted = batch("\"array\": \"1-1000%10\"");
        final JsonNode shown = shown(accepted);

        assertThat(shown.path("jobs").asInt()).isEqualTo(1000);
        assertThat(shown.path("finished").asBoolean()).isFalse();
        assertThat(shown.path("counts").toString()).isEqualTo("[{\"state\":\"waiting\",\"jobs\":1000}]");
        final BatchId id = BatchId.of(shown.path("id").asText());
        final JsonNode task = mine.get("/api/v1/jobs/" + id.job(1000)).body();
        assertThat(task.path("batch").asText()).isEqualTo(id.value());
        assertThat(task.path("index").asInt()).isEqualTo(1000);
        assertThat(task.path("environment").path("SLURM_ARRAY_TASK_ID").asText())
                .isEqualTo("1000");
        assertThat(mine.get("/api/v1/jobs?limit=2&batch=" + id)
                        .body()
                        .path("jobs")
                        .findValuesAsText("id"))
                .containsExactly(id.job(1000).value(), id.job(999).value());
    }

    @Test
    void the_same_key_creates_one_batch_and_refuses_another_body() {
        final String directories = "\"directories\": [\"a\", \"b\", \"c\"]";
        final ApiClient.Answer first = batch(directories, "Idempotency-Key", user + "-key");
        final JsonNode shown = shown(first);
        final ApiClient.Answer again = batch(directories, "Idempotency-Key", user + "-key");
        assertThat(again.body().path("id")).isEqualTo(shown.path("id"));
        assertThat(again.header("Millrace-Offset")).isNull();

        isRefused(
                batch("\"directories\": [\"a\", \"b\", \"d\"]", "Idempotency-Key", user + "-key"),
                422,
                "send a new key");
        isRefused(batch("\"directories\": [\"a\", \"b\"]", "Idempotency-Key", user + "-key"), 422, "send a new key");
        assertThat(shown(first).path("jobs").asInt()).isEqualTo(3);
    }

    @Test
    void a_batch_that_was_interrupted_is_completed_by_repeating_the_request() {
        final String key = user + "-interrupted";
        final BatchId id = BatchId.around(Ulid.derived(UserName.of(user), key));
        final ValidJob.Member first = JobValidator.validate(request("a", "b", "c"), Set.of(TestData.ALPHA))
                .jobs(id, 4711)
                .getFirst();
        seen(TestData.publish(new JobSubmitted(
                id.job(1),
                4711,
                UserName.of(user),
                NumberVariables.added(
                        first.job().spec(), new JobNumber(4711, first.place().index())),
                TestData.ALPHA,
                first.job().directory(),
                null,
                NOON,
                "signature",
                first.place(),
                null)));

        final JsonNode shown = shown(batch("\"directories\": [\"a\", \"b\", \"c\"]", "Idempotency-Key", key));
        assertThat(shown.path("id").asText()).isEqualTo(id.value());
        assertThat(shown.path("jobs").asInt()).isEqualTo(3);
        assertThat(mine.get("/api/v1/jobs?batch=" + id).body().path("jobs").findValuesAsText("number"))
                .containsExactly("4711_3", "4711_2", "4711_1");
    }

    private static JobRequest request(final String... directories) {
        return new JobRequest(
                null,
                null,
                List.of("sleep", "1"),
                null,
                null,
                null,
                null,
                null,
                "60",
                null,
                null,
                null,
                null,
                "alpha",
                "/home/anna/run",
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(directories),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    @Test
    void a_batch_is_held_released_and_stopped_as_a_whole() {
        final String id =
                shown(batch("\"directories\": [\"a\", \"b\"]")).path("id").asText();
        for (final String change : List.of("hold", "release", "stop")) {
            final ApiClient.Answer requested = mine.post(BATCHES + "/" + id + "/" + change, "{}");
            assertThat(requested.status()).isEqualTo(202);
            assertThat(requested.body().path("requested").asInt()).isEqualTo(2);
            assertThat(requested.header("Millrace-Offset")).isNotNull();
        }
        final JsonNode again = mine.post(BATCHES + "/" + id + "/stop", "{}").body();
        assertThat(again.path("requested").asInt()).isZero();
        assertThat(again.path("others").asInt()).isEqualTo(2);
    }

    @Test
    void a_batch_of_another_user_is_not_found() {
        final String id = shown(batch("\"array\": \"0-1\"")).path("id").asText();
        final ApiClient other = ApiClient.as("mallory");

        isRefused(other.get(BATCHES + "/" + id), 404, "not found");
        for (final String change : List.of("hold", "release", "stop")) {
            isRefused(other.post(BATCHES + "/" + id + "/" + change, "{}"), 404, "not found");
        }
        isRefused(
                other.post("/api/v1/jobs", body("\"dependency\": \"afterok:" + id + "\"")), 422, "which was not found");
        assertThat(operators.get(BATCHES + "/" + id).status()).isEqualTo(200);
        isRefused(mine.get(BATCHES + "/" + TestData.id()), 404, "not a valid batch id");
    }

    @Test
    void one_job_is_no_batch_and_a_batch_is_not_one_job() {
        isRefused(batch("\"cores\": 1"), 422, "directories", "array");
        isRefused(mine.post("/api/v1/jobs", body("\"array\": \"1-2\"")), 422, "/api/v1/batches");
    }

    @Test
    void a_job_depends_on_jobs_and_batches_that_its_owner_has() {
        final ApiClient.Answer first = mine.post("/api/v1/jobs", body("\"cores\": 1"));
        final String job = first.body().path("id").asText();
        final JsonNode batch = batch("\"array\": \"1-2\"").body();
        final String dependency =
                "afterok:" + job + ",afterany:" + batch.path("id").asText();
        final ApiClient.Answer next = mine.post("/api/v1/jobs", body("\"dependency\": \"" + dependency + "\""));

        assertThat(next.status()).isEqualTo(202);
        assertThat(next.body().path("dependency").asText())
                .isEqualTo("afterok:" + first.body().path("number").asText() + ",afterany:"
                        + batch.path("number").asText());
        isRefused(
                mine.post("/api/v1/jobs", body("\"dependency\": \"afterok:" + TestData.id() + "\"")),
                422,
                "which was not found");
    }

    @Test
    void each_task_of_an_array_depends_on_the_task_with_its_index() {
        final String first = shown(batch("\"array\": \"3-9:3\"")).path("number").asText();
        final String after = "\"dependency\": \"singleton,aftercorr:" + first + "\"";
        final BatchId next = BatchId.of(
                shown(batch("\"array\": \"6-9:3\", " + after)).path("id").asText());

        assertThat(mine.get("/api/v1/jobs/" + next.job(2))
                        .body()
                        .path("dependency")
                        .asText())
                .isEqualTo("singleton,afterok:" + first + "_9");
        isRefused(batch("\"array\": \"6-8\", " + after), 422, "index 7");
        isRefused(mine.post("/api/v1/jobs", body(after)), 422, "requires an array");
        isRefused(ApiClient.as("mallory").post(BATCHES, body("\"array\": \"6-9:3\", " + after)), 422, "not found");
    }

    @Test
    void a_job_cannot_be_altered_to_wait_for_itself() {
        final String first = mine.post("/api/v1/jobs", body("\"cores\": 1"))
                .body()
                .path("id")
                .asText();
        final ApiClient.Answer next = mine.post("/api/v1/jobs", body("\"dependency\": \"afterok:" + first + "\""));
        final String id = next.body().path("id").asText();
        mine.get("/api/v1/jobs/" + id, "Millrace-Offset", next.header("Millrace-Offset"));

        isRefused(
                mine.post("/api/v1/jobs/" + first + "/alter", "{\"dependency\": \"afterany:" + id + "\"}"),
                409,
                "would wait for itself");
        assertThat(mine.post("/api/v1/jobs/" + id + "/alter", "{\"dependency\": \"none\"}")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void a_batch_is_finished_when_all_its_jobs_have_ended() {
        final ApiClient.Answer accepted = batch("\"array\": \"1-2\"");
        final BatchId id = BatchId.of(shown(accepted).path("id").asText());
        for (final GlobalJobId job : List.of(id.job(1), id.job(2))) {
            seen(TestData.publish(TestData.job(
                    TestData.submitted(job, user, "task"), new GlobalJobState.End(new RunOutcome.Exited(0)), 2)));
        }
        final JsonNode shown = shown(accepted);
        assertThat(shown.path("finished").asBoolean()).isTrue();
        assertThat(shown.path("counts").toString()).isEqualTo("[{\"state\":\"succeeded\",\"jobs\":2}]");
        isRefused(mine.post(BATCHES + "/" + id + "/hold", "{}"), 409, "have ended");
    }
}
