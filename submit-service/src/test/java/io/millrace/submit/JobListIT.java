package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.log.OutgoingEvent;
import io.millrace.model.AttemptId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Plan;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What mgstat asks for: jobs by their properties, their times, and counts. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class JobListIT extends JobsScene {

    private GlobalJobId ended(final String name, final RunOutcome outcome) {
        final JobSubmitted job = submitted(name);
        seen(TestData.publish(TestData.job(job, new GlobalJobState.End(outcome), 1)));
        return job.job();
    }

    /** A job on beta whose local job is in this state. */
    private JobSubmitted queued(final String name, final JobState state) {
        final JobSubmitted job = submitted(name);
        queued(job, state);
        return job;
    }

    private List<String> names(final String query) {
        final ApiClient.Answer answer = mine.get("/api/v1/jobs?" + query);
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().path("jobs").findValuesAsText("name");
    }

    private static JobState.Running running(final Instant since) {
        return new JobState.Running(since, List.of());
    }

    @Test
    void jobs_that_wait_for_cores_are_distinguished_from_held_ones() {
        submitted("unplaced");
        queued("native", new JobState.Queued());
        queued("at the gate", new JobState.Held(HoldKind.ENTRY));
        queued("held", new JobState.Held(HoldKind.USER));
        queued("running", running(Instant.now()));

        assertThat(names("state=queued")).containsExactlyInAnyOrder("native", "at the gate");
        assertThat(names("state=held")).containsExactly("held");
        assertThat(names("state=running&state=Waiting")).containsExactlyInAnyOrder("running", "unplaced");
    }

    @Test
    void a_state_follows_the_local_job_and_stays_running_until_the_end_is_known() {
        final JobSubmitted job = submitted("requeued");
        final JobKey local = queued(job, new JobState.Queued());
        final AttemptId attempt = job.job().attempt(1);

        seen(TestData.publish(TestData.local(local, user, running(Instant.now()), attempt)));
        assertThat(names("state=running")).containsExactly("requeued");

        seen(TestData.publish(TestData.local(local, user, new JobState.Queued(), attempt, 1)));
        assertThat(names("state=preempted")).containsExactly("requeued");
        assertThat(names("state=queued&state=running")).isEmpty();

        seen(TestData.publish(TestData.local(local, user, running(Instant.now()), attempt, 1)));
        seen(TestData.gone(new OutgoingEvent.Remove(Topic.CLUSTER_STATE, JobObserved.keyOf(local), TestData.BETA)));
        seen(TestData.publish(TestData.placed(job, new GlobalJobState.Submitted(attempt, local, true), local, 2)));
        assertThat(names("state=running&stage=submitted")).containsExactly("requeued");

        seen(TestData.publish(TestData.placed(job, new GlobalJobState.End(new RunOutcome.OutOfMemory()), local, 3)));
        assertThat(names("state=out-of-memory")).containsExactly("requeued");
    }

    @Test
    void success_is_distinguished_from_failure() {
        ended("good", new RunOutcome.Exited(0));
        ended("bad", new RunOutcome.Exited(3));
        ended("slow", new RunOutcome.TimedOut());
        final JobSubmitted lost = submitted("lost");
        seen(TestData.publish(TestData.job(lost, new GlobalJobState.Aborted("no cluster"), 1)));
        submitted("waiting");

        assertThat(names("state=succeeded")).containsExactly("good");
        assertThat(names("state=failed")).containsExactly("bad");
        assertThat(names("state=Timed-Out&state=ABORTED")).containsExactlyInAnyOrder("slow", "lost");
        assertThat(names("stage=end")).containsExactlyInAnyOrder("good", "bad", "slow");
        assertThat(mine.get("/api/v1/jobs?state=succeded").body().path("detail").asText())
                .contains("'succeded' is not a state; did you mean 'succeeded'? Use one of waiting, held");
        final Map<String, JsonNode> succeeded = new TreeMap<>();
        mine.get("/api/v1/jobs")
                .body()
                .path("jobs")
                .forEach(job -> succeeded.put(job.path("name").asText(), job.path("succeeded")));
        assertThat(succeeded.get("good").booleanValue()).isTrue();
        assertThat(succeeded.get("slow").isBoolean()).isTrue();
        assertThat(succeeded.get("slow").booleanValue()).isFalse();
        assertThat(succeeded.get("waiting").isMissingNode()).isTrue();
    }

    @Test
    void jobs_are_selected_by_name_and_cluster() {
        submitted("Läufe 1");
        queued("elsewhere", running(Instant.now()));

        assertThat(names("name=L%C3%A4ufe%201")).containsExactly("Läufe 1");
        assertThat(names("name=l%C3%A4ufe%201")).isEmpty();
        assertThat(names("cluster=beta")).containsExactly("elsewhere");
        assertThat(names("project=physics")).isEmpty();
        assertThat(mine.get("/api/v1/jobs?cluster=Not%20a%20name").status()).isEqualTo(422);
        for (final String route : List.of("/api/v1/jobs?cluster=betta", "/api/v1/jobs/counts?cluster=betta")) {
            final ApiClient.Answer answer = mine.get(route);
            assertThat(answer.status()).isEqualTo(422);
            assertThat(answer.body().path("detail").asText()).contains("unknown cluster 'betta'");
        }
        for (final String route : List.of("/api/v1/jobs/betta%2F1", "/api/v1/local-jobs/why?job=betta/1")) {
            final ApiClient.Answer answer = mine.get(route);
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.body().path("detail").asText()).contains("unknown cluster 'betta'");
        }
    }

    @Test
    void a_period_selects_jobs_that_existed_in_it_and_ended_jobs_by_their_end() {
        final Instant begin = Instant.now();
        final GlobalJobId over = ended("over", new RunOutcome.Exited(0));
        submitted("waiting");
        final Instant end = Instant.parse(
                mine.get("/api/v1/jobs/" + over).body().path("endedAt").asText());

        assertThat(names("from=" + end.plusSeconds(1))).containsExactly("waiting");
        assertThat(names("from=" + begin.minusSeconds(60))).containsExactlyInAnyOrder("over", "waiting");
        assertThat(names("to=" + begin.minusSeconds(60))).isEmpty();
        assertThat(names("state=final&from=" + begin.minusSeconds(60) + "&to=" + end))
                .isEmpty();
        assertThat(names("state=final&from=" + end + "&to=" + end.plusSeconds(1)))
                .containsExactly("over");
        assertThat(mine.get("/api/v1/jobs?from=2026-02-02&to=2026-02-01").status())
                .isEqualTo(422);
    }

    @Test
    void a_preempted_job_shows_its_preemptions_and_when_it_runs_again() {
        final Instant again = Instant.parse("2026-03-01T14:00:00Z");
        final JobSubmitted job = submitted("preempted");
        final JobKey local = queued(job, new JobState.Held(HoldKind.ENTRY));
        TestData.publish(run(job, local, 1, new RunOutcome.Requeued()));
        TestData.publish(new Plan(local, Issuer.BACKFILL, again, 1, "waits for cores", List.of()));
        seen(TestData.publish(TestData.submitted(TestData.id(), user, "a later record")));

        final JsonNode shown = mine.get("/api/v1/jobs/" + job.job()).body();

        assertThat(shown.path("preemptions").asInt()).isEqualTo(1);
        assertThat(shown.path("predictedStart").asText()).isEqualTo("2026-03-01T14:00:00.000Z");
        assertThat(shown.has("startedAt")).isFalse();
        assertThat(shown.has("endedAt")).isFalse();
    }

    private RunEnded run(final JobSubmitted job, final JobKey local, final int number, final RunOutcome outcome) {
        return new RunEnded(
                local,
                "run",
                job.job().attempt(1),
                job.owner(),
                null,
                PartitionName.of("main"),
                Resources.cores(4),
                Duration.ofHours(1),
                number,
                Instant.parse("2026-03-01T12:00:00Z"),
                Instant.parse("2026-03-01T12:10:00Z"),
                outcome,
                0,
                "sacct",
                null);
    }

    @Test
    void an_ended_job_shows_what_its_last_run_used() {
        final JobSubmitted job = submitted("measured");
        final JobKey local = queued(job, new JobState.Held(HoldKind.ENTRY));
        TestData.publish(run(job, local, 1, new RunOutcome.Requeued()));
        TestData.publish(run(job, local, 2, new RunOutcome.Exited(0))
                .withUsage(new ResourceUsage(Duration.ofSeconds(1800), 3L << 30, null)));
        seen(TestData.publish(TestData.placed(job, new GlobalJobState.End(new RunOutcome.Exited(0)), local, 3)));

        assertThat(mine.get("/api/v1/jobs/" + job.job()).body().path("used").toString())
                .isEqualTo("{\"cpuSeconds\":1800,\"peakMemoryBytes\":3221225472}");
        assertThat(mine.get("/api/v1/jobs/" + job.job() + "/why")
                        .body()
                        .path("summary")
                        .asText())
                .contains("It used 3 of 4 cores, 3 GiB");
    }

    @Test
    void jobs_are_counted_by_state_and_each_once() {
        submitted("waiting 1");
        submitted("waiting 2");
        queued("queued", new JobState.Held(HoldKind.ENTRY));
        queued("runs 1", running(Instant.now()));
        queued("runs 2", running(Instant.now()));
        ended("over", new RunOutcome.Exited(7));

        assertThat(mine.get("/api/v1/jobs/counts").body().path("counts").toString())
                .isEqualTo("[{\"state\":\"waiting\",\"jobs\":2},{\"state\":\"queued\",\"jobs\":1},"
                        + "{\"state\":\"running\",\"jobs\":2},{\"state\":\"failed\",\"jobs\":1}]");
        assertThat(mine.get("/api/v1/jobs/counts?state=running")
                        .body()
                        .path("counts")
                        .size())
                .isEqualTo(1);
    }
}
