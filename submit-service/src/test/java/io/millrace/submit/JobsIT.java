package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.TransferId;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.Plan;
import io.millrace.model.transfer.Place;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class JobsIT extends JobsScene {

    @Test
    void a_job_is_found_by_the_only_beginning_of_its_id() {
        final GlobalJobId id = submitted("prefix").job();

        assertThat(mine.get("/api/v1/jobs/" + id.value().substring(0, 20).toLowerCase())
                        .body()
                        .path("id")
                        .asText())
                .isEqualTo(id.value());
    }

    @Test
    void a_beginning_that_fits_several_jobs_is_refused_with_the_candidates() {
        final String common = TestData.id().value().substring(0, 20);
        final GlobalJobId one = GlobalJobId.of(common + "AAAAAA");
        final GlobalJobId two = GlobalJobId.of(common + "BBBBBB");
        seen(TestData.publish(TestData.submitted(one, user, "one")));
        seen(TestData.publish(TestData.submitted(two, user, "two")));

        final ApiClient.Answer answer = mine.get("/api/v1/jobs/" + common);

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().path("detail").asText()).contains(one.value(), two.value());
    }

    @Test
    void a_job_with_options_of_sbatch_is_held_in_its_directory() {
        TestData.clusters();
        final ApiClient.Answer accepted = mine.post("/api/v1/jobs", """
            {"script": "#!/bin/sh\\n#PBS -l select=1:ncpus=2\\n", "source": "alpha", "directory": "/home/anna",
             "options": ["-H", "-D", "run", "-t", "5", "-c4"]}\
            """);
        assertThat(accepted.status()).as(accepted.response().body()).isEqualTo(202);
        for (final JsonNode shown : List.of(
                accepted.body(),
                mine.get("/api/v1/jobs/" + accepted.body().path("id").asText()).body())) {
            assertThat(shown.path("hold").asText()).isEqualTo("user");
            assertThat(shown.path("reason").asText()).contains("submitted with a hold; release it with mgrelease");
            assertThat(shown.path("directory").asText()).isEqualTo("/home/anna/run");
            assertThat(shown.path("cores").asInt()).isEqualTo(4);
        }
    }

    @Test
    void a_foreign_job_is_as_good_as_none_but_for_operators() {
        final GlobalJobId id = submitted("secret").job();
        final ApiClient other = ApiClient.as("mallory");

        assertThat(other.get("/api/v1/jobs/" + id).status()).isEqualTo(404);
        assertThat(other.get("/api/v1/jobs/" + id + "/why").status()).isEqualTo(404);
        assertThat(other.post("/api/v1/jobs/" + id + "/stop", "{}").status()).isEqualTo(404);
        assertThat(other.get("/api/v1/jobs/" + id).body().path("detail").asText())
                .isEqualTo(other.get("/api/v1/jobs/" + TestData.id())
                        .body()
                        .path("detail")
                        .asText()
                        .replaceAll("'.*'", "'" + id + "'"));
        assertThat(operators.get("/api/v1/jobs/" + id).status()).isEqualTo(200);
    }

    @Test
    void a_list_shows_own_jobs_and_all_jobs_to_operators() {
        final GlobalJobId id = submitted("listed").job();
        seen(TestData.publish(TestData.submitted(TestData.id(), "mallory", "not mine")));

        assertThat(mine.get("/api/v1/jobs").body().path("jobs").findValuesAsText("id"))
                .containsExactly(id.value());
        assertThat(mine.get("/api/v1/jobs?user=mallory").status()).isEqualTo(403);
        assertThat(operators
                        .get("/api/v1/jobs?user=" + user)
                        .body()
                        .path("jobs")
                        .findValuesAsText("id"))
                .containsExactly(id.value());
        assertThat(operators.get("/api/v1/jobs").body().path("jobs").findValuesAsText("user"))
                .contains(user, "mallory");
    }

    @Test
    void pages_show_every_job_once_newest_first() {
        final List<String> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.addFirst(submitted("page " + i).job().value());
        }

        final List<String> seen = new ArrayList<>();
        String next = "";
        while (next != null) {
            final JsonNode page = mine.get("/api/v1/jobs?limit=2" + (next.isEmpty() ? "" : "&after=" + next))
                    .body();
            seen.addAll(page.path("jobs").findValuesAsText("id"));
            next = page.path("next").textValue();
        }
        assertThat(seen).isEqualTo(ids);
    }

    @Test
    void jobs_can_be_chosen_by_state() {
        final JobSubmitted over = submitted("over");
        final JobSubmitted waiting = submitted("waiting");
        seen(TestData.publish(TestData.job(over, new GlobalJobState.End(new RunOutcome.Exited(0)), 1)));

        assertThat(mine.get("/api/v1/jobs?state=active").body().path("jobs").findValuesAsText("id"))
                .containsExactly(waiting.job().value());
        assertThat(mine.get("/api/v1/jobs?state=Succeeded&state=ABORTED")
                        .body()
                        .path("jobs")
                        .findValuesAsText("id"))
                .containsExactly(over.job().value());
        assertThat(mine.get("/api/v1/jobs?state=Ended").status()).isEqualTo(422);
        assertThat(mine.get("/api/v1/jobs?limit=0").status()).isEqualTo(400);
    }

    @Test
    void a_stop_is_asked_for_once_and_kept() {
        final GlobalJobId id = submitted("stopped").job();

        final ApiClient.Answer first = mine.post("/api/v1/jobs/" + id + "/stop", "{\"reason\": \"wrong input\"}");
        final ApiClient.Answer second = operators.post("/api/v1/jobs/" + id + "/stop", "{\"reason\": \"maintenance\"}");

        assertThat(first.status()).isEqualTo(202);
        assertThat(first.header("Millrace-Offset")).isNotNull();
        assertThat(second.status()).isEqualTo(202);
        assertThat(second.header("Millrace-Offset")).isNull();
        assertThat(mine.get("/api/v1/jobs/" + id)
                        .body()
                        .path("stop")
                        .path("reason")
                        .asText())
                .isEqualTo("wrong input");
    }

    @Test
    void a_job_that_is_over_cannot_be_stopped() {
        final JobSubmitted job = submitted("over");
        seen(TestData.publish(TestData.job(job, new GlobalJobState.End(new RunOutcome.Exited(3)), 1)));

        final ApiClient.Answer answer = mine.post("/api/v1/jobs/" + job.job() + "/stop", "{}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.body().path("detail").asText())
                .contains("cannot be stopped")
                .contains("failed");
        assertThat(mine.get("/api/v1/jobs/" + job.job())
                        .body()
                        .path("outcome")
                        .path("exitCode")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void an_older_version_of_a_job_changes_nothing() {
        final JobSubmitted job = submitted("versions");
        seen(TestData.publish(TestData.job(job, new GlobalJobState.Aborted("reason"), 7)));
        seen(TestData.publish(TestData.job(job, new GlobalJobState.Waiting("late"), 6)));

        assertThat(mine.get("/api/v1/jobs/" + job.job()).body().path("state").asText())
                .isEqualTo("aborted");
    }

    @Test
    void a_placed_job_shows_its_local_state_until_it_leaves_the_queue() {
        final JobSubmitted job = submitted("placed");
        final JobKey local = TestData.key(TestData.BETA, Math.floorMod(job.job().hashCode(), 1_000_000));
        seen(TestData.publish(TestData.local(
                local, user, new JobState.Held(HoldKind.ENTRY), job.job().attempt(1))));
        seen(TestData.publish(
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 2)));
        final JsonNode held = mine.get("/api/v1/jobs/" + job.job()).body();
        seen(TestData.gone(new io.millrace.log.OutgoingEvent.Remove(
                io.millrace.model.protocol.Topic.CLUSTER_STATE, JobObserved.keyOf(local), TestData.BETA)));

        assertThat(held.path("state").asText()).isEqualTo("queued");
        assertThat(held.path("stage").asText()).isEqualTo("Submitted");
        assertThat(held.path("hold").asText()).isEqualTo("entry");
        assertThat(held.path("cluster").asText()).isEqualTo("beta");
        assertThat(held.path("localJob").asText()).isEqualTo(local.toString());
        assertThat(mine.get("/api/v1/jobs/" + job.job()).body().has("hold")).isFalse();
    }

    @Test
    void a_job_is_shown_and_stopped_by_the_id_of_its_local_job() {
        final JobSubmitted job = submitted("local id");
        final int number = Math.floorMod(job.job().hashCode(), 1_000_000);
        final JobKey local = TestData.key(TestData.BETA, number);
        final JobKey direct = TestData.key(TestData.BETA, number + 1_000_000);
        TestData.publish(TestData.local(direct, user, new JobState.Queued(), null));
        seen(TestData.publish(
                TestData.local(local, user, new JobState.Queued(), job.job().attempt(1))));
        final String path = "/api/v1/jobs/" + TestData.BETA + "%2F" + local.id().local();

        assertThat(mine.get(path).body().path("id").asText())
                .isEqualTo(job.job().value());
        assertThat(ApiClient.as("mallory").get(path).status()).isEqualTo(404);
        assertThat(mine.get("/api/v1/jobs/" + TestData.BETA + "%2F%25").status())
                .isEqualTo(404);
        final ApiClient.Answer refused =
                mine.get("/api/v1/jobs/" + TestData.BETA + "%2F" + direct.id().local());
        assertThat(refused.status()).isEqualTo(404);
        assertThat(refused.body().path("detail").asText()).contains("was not submitted with mgsub");
        assertThat(mine.post(path + "/stop", "{}").body().path("id").asText())
                .isEqualTo(job.job().value());
    }

    @Test
    void why_shows_decisions_with_their_service_and_figures() {
        final JobSubmitted job = submitted("why");
        final int number = Math.floorMod(job.job().hashCode(), 1_000_000);
        final JobKey local = TestData.key(TestData.BETA, number);
        final Action submit = new Action.Submit(job.job().attempt(1), job.owner(), job.spec(), "/stage/1", "s");
        final Action start = new Action.Start(local);
        final Command first = command(Issuer.MIGRATION, submit, "beta has 12 idle cores, 4 are asked for");
        final Command second = command(Issuer.BACKFILL, start, "4 cores fit into 12 idle ones");
        TestData.publish(TestData.local(
                local, user, new JobState.Held(HoldKind.ENTRY), job.job().attempt(1)));
        TestData.publish(first);
        TestData.publish(second);
        TestData.publish(answer(first, new Result.Done(local, "accepted")));
        TestData.publish(answer(second, new Result.Refused(Refusal.STALE, "only 2 cores are idle")));
        TestData.publish(new Entitlement(local, EntitlementLevel.GUARANTEED, 100, "4 cores + 0 in use <= quota 16"));
        TestData.publish(new Plan(
                local,
                Issuer.BACKFILL,
                NOON,
                2,
                "waits for 2 cores",
                List.of(VetoCode.NO_IDLE_CORES.veto("4 cores requested, 2 idle"))));
        TestData.publish(new Classified(job.job(), List.of("small"), List.of("cores=4 in [2,8)")));
        TestData.publish(new Transfer(
                TransferId.of(job.job() + ".1/upload"),
                job.job().attempt(1),
                job.owner(),
                new Place(TestData.ALPHA, null, "/home/x"),
                new Place(TestData.BETA, null, "/stage/1"),
                new TransferState.Verified("3 files, 10 B, sha256 ab"),
                NOON,
                "signature"));
        TestData.publish(new RunEnded(
                local,
                "why",
                job.job().attempt(1),
                job.owner(),
                null,
                io.millrace.model.PartitionName.of("main"),
                Resources.cores(4),
                null,
                1,
                NOON,
                NOON.plusSeconds(60),
                new RunOutcome.Requeued(),
                240,
                "sacct",
                null));
        seen(TestData.publish(
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 2)));
        final String path = "/api/v1/jobs/" + job.job() + "/why";
        final JsonNode why = untilBoth(path);

        assertThat(why.path("summary").asText())
                .contains("beta has 12 idle cores")
                .contains("guaranteed: 4 cores + 0 in use <= quota 16")
                .contains("waits for 2 cores; predicted start 2026-03-01T12:00:00Z");
        assertThat(why.path("predictedStart").asText()).isEqualTo("2026-03-01T12:00:00.000Z");
        assertThat(why.path("commands").findValuesAsText("result")).containsExactlyInAnyOrder("done", "refused");
        assertThat(why.path("commands").toString()).contains("stale: only 2 cores are idle");
        assertThat(why.path("plans")
                        .path(0)
                        .path("vetoes")
                        .path(0)
                        .path("reason")
                        .asText())
                .isEqualTo("4 cores requested, 2 idle");
        assertThat(why.path("classes").path(0).path("classes").path(0).asText()).isEqualTo("small");
        assertThat(why.path("transfers").path(0).path("state").asText()).startsWith("verified: 3 files");
        assertThat(why.path("runs").path(0).path("outcome").path("kind").asText())
                .isEqualTo("requeued");
        final ApiClient.Answer local2 =
                mine.get("/api/v1/local-jobs/why?job=" + local.toString().replace(":", "%3A"));
        assertThat(local2.status()).isEqualTo(200);
        assertThat(local2.body().path("commands").findValuesAsText("action")).containsExactly("start");
        assertThat(mine.get("/api/v1/local-jobs/why?job=" + local.id())
                        .body()
                        .path("job")
                        .asText())
                .as("by the id of the workload manager")
                .isEqualTo(local.toString());
        assertThat(mine.get("/api/v1/local-jobs/why?job=" + local.cluster() + "/%25")
                        .status())
                .isEqualTo(404);
        for (final String id :
                List.of(local.toString().replace(":", "%3A"), local.id().toString())) {
            assertThat(ApiClient.as("mallory")
                            .get("/api/v1/local-jobs/why?job=" + id)
                            .status())
                    .as(id)
                    .isEqualTo(404);
        }
        for (final String theirs : List.of(local.toString(), local.id().toString())) {
            final String nobodys = theirs.replace(local.id().toString(), local.id() + "9");
            assertThat(whyAsStranger(theirs))
                    .as("whether a job of another user exists")
                    .isEqualTo(whyAsStranger(nobodys).replace(nobodys, theirs));
        }
    }

    private static String whyAsStranger(final String job) {
        final ApiClient.Answer answer =
                ApiClient.as("mallory").get("/api/v1/local-jobs/why?job=" + job.replace(":", "%3A"));
        return answer.status() + " " + answer.response().body();
    }

    /** Topics are read independently, so this waits for the last record of each topic. */
    private JsonNode untilBoth(final String path) {
        final long deadline = System.nanoTime() + Duration.ofMinutes(5).toNanos();
        JsonNode why = mine.get(path).body();
        while (System.nanoTime() < deadline
                && (why.path("transfers").isEmpty()
                        || why.path("runs").isEmpty()
                        || why.path("plans").isEmpty()
                        || why.path("classes").isEmpty()
                        || !why.has("entitlement")
                        || why.path("commands").findValuesAsText("answeredAt").size() < 2)) {
            why = mine.get(path).body();
        }
        return why;
    }

    private static Command command(final Issuer issuer, final Action action, final String reason) {
        return new Command(
                Command.idOf(issuer, action, 0),
                TestData.BETA,
                issuer,
                1,
                NOON,
                NOON.plusSeconds(60),
                List.of(),
                action,
                reason);
    }

    private static Outcome answer(final Command command, final Result result) {
        return command.outcome(result, NOON.plusSeconds(1));
    }

    @Test
    void a_queue_shows_own_jobs_and_only_counts_those_of_others() {
        final int number = Math.floorMod(user.hashCode(), 1_000_000);
        final JobKey key = TestData.key(TestData.ALPHA, number);
        TestData.publish(
                TestData.local(TestData.key(TestData.ALPHA, number + 1), "mallory", new JobState.Queued(), null));
        TestData.publish(new Entitlement(key, EntitlementLevel.BORROWED, 5, "quota 0"));
        seen(TestData.publish(TestData.local(key, user, new JobState.Running(NOON, List.of()), null)));

        final JsonNode queue = mine.get("/api/v1/clusters/alpha/jobs").body();
        final JsonNode all =
                operators.get("/api/v1/clusters/alpha/jobs?limit=500").body();

        assertThat(queue.path("jobs").findValuesAsText("user")).containsOnly(user);
        assertThat(queue.path("jobs").path(0).path("name").asText()).isEqualTo("Länge 3 \"x\"");
        assertThat(queue.path("others").path("queued").path("jobs").asInt()).isPositive();
        assertThat(queue.toString()).doesNotContain("mallory");
        assertThat(all.path("jobs").findValuesAsText("user")).contains(user, "mallory");
        assertThat(mine.get("/api/v1/clusters/nowhere/jobs").status()).isEqualTo(404);
    }

    @Test
    void a_cluster_shows_cores_health_and_queue() {
        seen(TestData.publish(TestData.marker(TestData.ALPHA, 2, 6)));

        final JsonNode alpha = find(mine.get("/api/v1/clusters").body().path("clusters"), "alpha");

        assertThat(alpha.path("free").path("cores").asInt()).isEqualTo(6);
        assertThat(alpha.path("total").path("cores").asInt()).isEqualTo(16);
        assertThat(alpha.path("health").asText()).isEqualTo("answering");
        assertThat(alpha.path("control").asText()).isEqualTo("directed");
        assertThat(alpha.path("capabilities").toString()).isEqualTo("[\"hold\",\"start\"]");
        assertThat(alpha.path("quotaEnforcement").asText())
                .as("its agent cannot reclaim")
                .isEqualTo("none");
    }

    private static JsonNode find(final JsonNode clusters, final String name) {
        for (final JsonNode cluster : clusters) {
            if (cluster.path("name").asText().equals(name)) {
                return cluster;
            }
        }
        throw new AssertionError(name + " is not among " + clusters);
    }

    @Test
    void a_wrong_position_is_refused() {
        assertThat(mine.get("/api/v1/jobs", "Millrace-Offset", "somewhere").status())
                .isEqualTo(400);
    }

    @Test
    void names_of_users_are_checked() {
        assertThat(operators.get("/api/v1/jobs?user=-rf").status()).isEqualTo(422);
    }
}
