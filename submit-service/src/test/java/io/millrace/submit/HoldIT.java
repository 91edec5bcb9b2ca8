package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.JobSubmitted;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class HoldIT extends JobsScene {

    /** A waiting job that this user holds. */
    private JobSubmitted heldBy(final String holder) {
        final JobSubmitted job = submitted();
        seen(TestData.publish(new GlobalJob(
                job,
                new GlobalJobState.Waiting("accepted"),
                List.of(),
                null,
                NOON,
                1,
                new HoldRequested(job.job(), UserName.of(holder), NOON, "input is incomplete"),
                null)));
        return job;
    }

    private JobSubmitted inQueue(final JobState state) {
        final JobSubmitted job = submitted();
        queued(job, state);
        return job;
    }

    @Test
    void a_waiting_job_is_held_and_released_as_often_as_its_owner_asks() {
        final JobSubmitted job = submitted();

        for (int i = 0; i < 2; i++) {
            final ApiClient.Answer held = mine.post(path(job, "hold"), "{\"reason\": \"input is incomplete\"}");
            assertThat(held.status()).isEqualTo(202);
            assertThat(held.header("Millrace-Offset")).isNotNull();
            final ApiClient.Answer released = mine.post(path(job, "release"), "{}");
            assertThat(released.status()).isEqualTo(202);
            assertThat(released.header("Millrace-Offset")).isNotNull();
        }
    }

    @Test
    void a_held_job_is_shown_selected_and_counted_as_held() {
        final JobSubmitted job = heldBy(user);
        submitted();

        final JsonNode shown = mine.get("/api/v1/jobs/" + job.job()).body();
        assertThat(shown.path("state").asText()).isEqualTo("held");
        assertThat(shown.path("hold").asText()).isEqualTo("user");
        assertThat(shown.path("reason").asText()).contains("held by " + user).contains("input is incomplete");
        assertThat(mine.get("/api/v1/jobs?state=held").body().path("jobs").findValuesAsText("id"))
                .containsExactly(job.job().value());
        assertThat(mine.get("/api/v1/jobs/counts").body().path("counts").toString())
                .isEqualTo("[{\"state\":\"waiting\",\"jobs\":1},{\"state\":\"held\",\"jobs\":1}]");
    }

    @Test
    void a_job_that_started_before_its_hold_is_shown_and_selected_as_running() {
        final JobSubmitted job = submitted();
        final JobKey local = queued(job, new JobState.Running(NOON, List.of()));
        final GlobalJob running =
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 2);
        seen(TestData.publish(new GlobalJob(
                job,
                running.state(),
                running.attempts(),
                null,
                running.since(),
                running.version(),
                new HoldRequested(job.job(), UserName.of(user), NOON, "input is incomplete"),
                null)));

        assertThat(mine.get("/api/v1/jobs/" + job.job()).body().path("reason").asText())
                .contains("it started before the hold, and will be held if it is requeued");
        assertThat(mine.get("/api/v1/jobs?state=held").body().path("jobs")).isEmpty();
        assertThat(mine.get("/api/v1/jobs?state=running").body().path("jobs")).hasSize(1);
    }

    @Test
    void what_has_started_or_ended_cannot_be_held() {
        final JobSubmitted running = inQueue(new JobState.Running(NOON, List.of()));
        final JobSubmitted over = submitted();
        seen(TestData.publish(TestData.job(over, new GlobalJobState.End(new RunOutcome.Exited(0)), 1)));

        isRefused(mine.post(path(running, "hold"), "{}"), 409, "is running on beta", "mgstop");
        isRefused(mine.post(path(over, "hold"), "{}"), 409, "cannot be held", "succeeded");
        isRefused(mine.post(path(over, "release"), "{}"), 409, "cannot be released");
        assertThat(mine.post(path(inQueue(new JobState.Held(HoldKind.ENTRY)), "hold"), "{}")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void a_job_that_an_operator_holds_is_released_by_operators_only() {
        final JobSubmitted job = heldBy(TestSite.OPERATOR);

        assertThat(mine.get("/api/v1/jobs/" + job.job()).body().path("hold").asText())
                .isEqualTo("operator");
        isRefused(mine.post(path(job, "release"), "{}"), 403, "only an operator can release it");
        assertThat(operators.post(path(job, "release"), "{}").status()).isEqualTo(202);
    }

    @Test
    void a_job_that_was_held_with_the_commands_of_its_cluster_is_released_there() {
        final JobSubmitted job = inQueue(new JobState.Held(HoldKind.USER));

        isRefused(mine.post(path(job, "release"), "{}"), 409, "not by Millrace", "release it there");
    }

    @Test
    void jobs_of_other_users_are_not_found() {
        final JobSubmitted job = submitted();
        final ApiClient other = ApiClient.as("mallory");

        isRefused(other.post(path(job, "hold"), "{}"), 404, "not found");
        isRefused(other.post(path(job, "release"), "{}"), 404, "not found");
    }
}
