package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class AlterIT {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

    private final String user = "a" + UUID.randomUUID().toString().substring(0, 8);
    private ApiClient mine;

    @BeforeEach
    void clusters() {
        mine = ApiClient.as(user);
        seen(TestData.clusters());
    }

    private void seen(final String position) {
        assertThat(mine.get("/api/v1/jobs", "Millrace-Offset", position).status())
                .isEqualTo(200);
    }

    private JobSubmitted submitted() {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "mesh");
        seen(TestData.publish(job));
        return job;
    }

    private ApiClient.Answer alter(final JobSubmitted job, final String body) {
        return mine.post("/api/v1/jobs/" + job.job() + "/alter", body);
    }

    private static void isRefused(final ApiClient.Answer answer, final int status, final String... words) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.body().path("detail").asText()).contains(words);
    }

    @Test
    void a_change_of_a_waiting_job_is_accepted_and_shown_when_it_is_applied() {
        final JobSubmitted job = submitted();
        final AlterRequested change =
                new AlterRequested(job.job(), job.owner(), NOON, "other", Duration.ofMinutes(30), 2, null, 7);
        seen(TestData.publish(new GlobalJob(
                change.applyTo(job), new GlobalJobState.Waiting("accepted"), List.of(), null, NOON, 1, null, 7)));

        final ApiClient.Answer answer =
                alter(job, "{\"name\": \"other\", \"walltime\": \"30\", \"cores\": 2, \"priority\": 7}");

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.header("Millrace-Offset")).isNotNull();
        assertThat(answer.body().path("name").asText()).isEqualTo("other");
        assertThat(answer.body().path("walltime").asText()).isEqualTo("PT30M");
        assertThat(answer.body().path("cores").asInt()).isEqualTo(2);
        assertThat(answer.body().path("priority").asInt()).isEqualTo(7);
    }

    @Test
    void what_cannot_be_changed_is_refused_by_name() {
        final JobSubmitted job = submitted();

        isRefused(alter(job, "{}"), 422, "send name, walltime, cores, partition or priority");
        isRefused(alter(job, "{\"cores\": 0}"), 422, "'cores' must be between 1");
        isRefused(alter(job, "{\"walltime\": \"soon\"}"), 422, "not a valid walltime");
        isRefused(alter(job, "{\"priority\": 5000}"), 422, "'priority' must be between -1024 and 1023");
        isRefused(alter(job, "{\"name\": \" \"}"), 422, "'name'");
        isRefused(alter(job, "{\"project\": \"physics\"}"), 422, "'project' is not a known field");
    }

    @Test
    void a_placed_or_ended_job_is_refused_with_its_state() {
        final JobSubmitted placed = submitted();
        seen(TestData.publish(TestData.placed(
                placed,
                new GlobalJobState.Submitted(placed.job().attempt(1), null, false),
                TestData.key(TestData.BETA, 77_001),
                1)));
        final JobSubmitted ended = submitted();
        seen(TestData.publish(TestData.job(ended, new GlobalJobState.Aborted("no cluster"), 1)));

        isRefused(alter(placed, "{\"cores\": 2}"), 409, "already placed on beta", "Stop it and submit it again");
        isRefused(alter(ended, "{\"cores\": 2}"), 409, "cannot be changed", "Aborted");
    }

    @Test
    void jobs_of_other_users_are_not_found() {
        isRefused(
                ApiClient.as("mallory").post("/api/v1/jobs/" + submitted().job() + "/alter", "{\"cores\": 2}"),
                404,
                "not found");
    }
}
