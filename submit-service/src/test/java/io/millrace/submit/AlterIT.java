package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.model.BatchId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Result;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.protocol.Topic;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.eclipse.microprofile.config.ConfigProvider;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class AlterIT extends JobsScene {

    private ApiClient.Answer alter(final JobSubmitted job, final String body) {
        return mine.post(path(job, "alter"), body);
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

        isRefused(alter(job, "{}"), 422, "send name, walltime, cores, partition, priority or dependency");
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

        isRefused(alter(placed, "{\"cores\": 2}"), 409, "already placed on beta", "stop it and submit it again");
        isRefused(alter(ended, "{\"cores\": 2}"), 409, "cannot be changed", "aborted");
    }

    @Test
    void the_walltime_of_a_job_in_a_queue_is_changed_by_its_agent_and_then_recorded() {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "mesh");
        final JobKey local = inQueue(job, 77_100);

        final CompletableFuture<ApiClient.Answer> answer =
                CompletableFuture.supplyAsync(() -> alter(job, "{\"walltime\": \"30\"}"));
        final Command command = command(local);
        assertThat(command.issuer()).isEqualTo(Issuer.SUBMIT);
        assertThat(command.action()).isEqualTo(new Action.AlterWalltime(local, Duration.ofMinutes(30)));
        answer(command, new Result.Done(null, "set"));

        assertThat(answer.join().status()).as(answer.join().body().toString()).isEqualTo(202);
        isRefused(alter(job, "{\"priority\": 3}"), 409, "is queued on beta", "walltime, partition, name and cores");
        isRefused(alter(job, "{\"walltime\": \"30\", \"name\": \"x\"}"), 409, "separately");
    }

    @Test
    void name_and_cores_of_a_job_in_a_queue_are_changed_by_its_agent() {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "mesh");
        final JobKey local = inQueue(job, 77_300);

        final CompletableFuture<ApiClient.Answer> answer =
                CompletableFuture.supplyAsync(() -> alter(job, "{\"cores\": 2, \"name\": \"finer\"}"));
        final Command command = command(local);
        assertThat(command.action()).isEqualTo(new Action.AlterPending(local, "finer", 2));
        assertThat(command.preconditions()).containsExactly(new Precondition.JobWaits(local));
        answer(command, new Result.Done(null, "set"));

        assertThat(answer.join().status()).as(answer.join().body().toString()).isEqualTo(202);
    }

    @Test
    void each_job_of_a_batch_that_can_take_the_change_is_changed_and_the_others_are_counted_by_reason() {
        final BatchId batch = BatchId.around(TestData.id());
        final List<JobSubmitted> jobs = IntStream.rangeClosed(1, 4)
                .mapToObj(n -> TestData.submitted(batch.job(n), user, "mesh"))
                .toList();
        jobs.forEach(job -> seen(TestData.publish(job)));
        final JobKey changed = inQueue(jobs.get(1), 77_401);
        final JobKey kept = inQueue(jobs.get(2), 77_402);
        seen(TestData.publish(TestData.job(jobs.get(3), new GlobalJobState.Aborted("no cluster"), 1)));
        final String path = "/api/v1/batches/" + batch + "/alter";

        final CompletableFuture<ApiClient.Answer> answer =
                CompletableFuture.supplyAsync(() -> mine.post(path, "{\"walltime\": \"30\"}"));
        answer(command(changed), new Result.Done(null, "set"));
        answer(command(kept), new Result.Failed("a running job keeps its walltime"));

        assertThat(answer.join().status()).as(answer.join().body().toString()).isEqualTo(202);
        assertThat(answer.join().body().toString())
                .isEqualTo("{\"id\":\"" + batch
                        + "\",\"requested\":2,\"refused\":1,\"reasons\":[{\"reason\":\"a running job keeps its"
                        + " walltime\",\"jobs\":1}]}");
        final JsonNode reordered = mine.post(path, "{\"priority\": 3}").body();
        assertThat(reordered.path("requested").asInt()).isEqualTo(1);
        assertThat(reordered.path("refused").asInt()).isEqualTo(2);
        assertThat(reordered.path("reasons")).hasSize(1);
        assertThat(reordered.path("reasons").get(0).path("reason").asText())
                .contains("job " + batch.job(3), "is queued on beta");
        isRefused(mine.post(path, "{\"cores\": 0}"), 422, "'cores' must be between 1");
        isRefused(ApiClient.as("mallory").post(path, "{\"cores\": 2}"), 404, "not found");
    }

    @Test
    void the_refusal_of_the_workload_manager_is_shown() {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "mesh");
        final JobKey local = inQueue(job, 77_200);

        final CompletableFuture<ApiClient.Answer> answer =
                CompletableFuture.supplyAsync(() -> alter(job, "{\"walltime\": \"30\"}"));
        answer(command(local), new Result.Failed("a running job keeps its walltime"));

        isRefused(answer.join(), 409, "a running job keeps its walltime");
    }

    private JobKey inQueue(final JobSubmitted job, final int number) {
        final JobKey local = TestData.key(TestData.BETA, number);
        seen(TestData.publish(
                TestData.local(local, user, new JobState.Queued(), job.job().attempt(1))));
        seen(TestData.publish(
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), local, true), local, 1)));
        return local;
    }

    /** The command for this job, as the agent reads it. */
    private static Command command(final JobKey local) {
        try (var agent = Clients.openConsumer(Clients.consumer(
                ConfigProvider.getConfig().getValue("millrace.kafka.bootstrap-servers", String.class),
                "fake-agent",
                Map.of()))) {
            final List<TopicPartition> all = List.of(new TopicPartition(Topic.COMMANDS.topicName(local.cluster()), 0));
            agent.assign(all);
            agent.seekToBeginning(all);
            final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
            while (Instant.now().isBefore(limit)) {
                for (final var record : agent.poll(Duration.ofMillis(100))) {
                    if (EventCodec.read(record).orElseThrow().event() instanceof Command command
                            && command.action().subject().equals(local.toString())) {
                        return command;
                    }
                }
            }
        }
        throw new AssertionError("no command for " + local);
    }

    private static void answer(final Command command, final Result result) {
        TestData.publish(command.outcome(result, NOON));
    }

    @Test
    void jobs_of_other_users_are_not_found() {
        isRefused(
                ApiClient.as("mallory").post("/api/v1/jobs/" + submitted().job() + "/alter", "{\"cores\": 2}"),
                404,
                "not found");
    }
}
