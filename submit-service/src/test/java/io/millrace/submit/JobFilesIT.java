package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.file.FileAnswer;
import io.millrace.model.file.FileRequest;
import io.millrace.model.file.FileResult;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of jobs through REST, with a fake agent. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class JobFilesIT {

    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
    private static final FileResult HELLO = new FileResult.Content(6, NOON, 0, "aGVsbG8K");

    private final String user = "f" + UUID.randomUUID().toString().substring(0, 8);
    private final ApiClient mine = ApiClient.as(user);
    private FakeFileAgent agent;

    @BeforeEach
    void listen() {
        seen(TestData.clusters());
        agent = new FakeFileAgent(user);
    }

    @AfterEach
    void close() {
        agent.close();
    }

    private void seen(final String position) {
        assertThat(mine.get("/api/v1/jobs", "Millrace-Offset", position).status())
                .isEqualTo(200);
    }

    private JobSubmitted running() {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "mesh");
        seen(TestData.publish(
                TestData.placed(job, new GlobalJobState.Submitted(job.job().attempt(1), null, true), null, 2)));
        return job;
    }

    private static String files(final JobSubmitted job, final String query) {
        return "/api/v1/jobs/" + job.job() + "/files" + query;
    }

    private static CompletableFuture<ApiClient.Answer> asked(final ApiClient by, final String path) {
        return CompletableFuture.supplyAsync(() -> by.get(path));
    }

    private ApiClient.Answer answered(
            final ApiClient by, final String path, final Function<FileRequest, FileResult> as) {
        final CompletableFuture<ApiClient.Answer> answer = asked(by, path);
        final FileRequest request = agent.requests(1).getFirst();
        TestData.publish(new FileAnswer(request.id(), request.cluster(), as.apply(request)));
        return answer.join();
    }

    private static void isRefused(final ApiClient.Answer answer, final int status, final String... words) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.body().path("detail").asText()).contains(words);
    }

    @Test
    void the_owner_reads_the_output_where_the_job_runs() {
        final JobSubmitted job = running();
        final List<FileRequest> sent = new ArrayList<>();
        final ApiClient.Answer answer = answered(mine, files(job, "?offset=7&length=100"), request -> {
            sent.add(request);
            return HELLO;
        });

        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        assertThat(answer.body().path("content").asText()).isEqualTo("aGVsbG8K");
        assertThat(answer.body().path("cluster").asText()).isEqualTo("beta");
        assertThat(answer.body().path("state").asText()).isEqualTo("queued");
        final FileRequest request = sent.getFirst();
        assertThat(request.path()).isEqualTo("millrace-" + job.job() + ".out");
        assertThat(request.directory()).isEqualTo("/stage/1");
        assertThat(request.offset()).isEqualTo(7);
        assertThat(request.length()).isEqualTo(100);
        assertThat(request.signature()).isNotEmpty();
    }

    @Test
    @Attack("a user reads the results of another user")
    void results_are_read_at_home_and_only_by_the_owner_and_operators() {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "mesh");
        seen(TestData.publish(TestData.placed(job, new GlobalJobState.End(new RunOutcome.Exited(0)), null, 3)));

        isRefused(ApiClient.as("mallory").get(files(job, "?path=x")), 404, "not found");
        final ApiClient.Answer answer = answered(
                ApiClient.as(TestSite.OPERATOR),
                files(job, "?path=x"),
                request -> request.by().value().equals(TestSite.OPERATOR)
                                && request.directory().equals("/home/" + user)
                        ? HELLO
                        : new FileResult.Refused("wrong request " + request));
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        assertThat(answer.body().path("cluster").asText()).isEqualTo("alpha");
    }

    @Test
    void the_refusals_of_the_agent_are_shown() {
        final JobSubmitted job = running();
        isRefused(answered(mine, files(job, "?path=x"), r -> new FileResult.Missing("no x")), 404, "no x");
        isRefused(answered(mine, files(job, "?path=x"), r -> new FileResult.Refused("a pipe")), 409, "a pipe");
        isRefused(answered(mine, files(job, "?path=x"), r -> new FileResult.Busy("busy")), 503, "busy");
        isRefused(answered(mine, files(job, ""), r -> new FileResult.Missing("no x")), 409, "has no output: no x");
    }

    @Test
    void what_cannot_be_read_is_refused_before_an_agent_is_asked() {
        final JobSubmitted job = running();
        final JobSubmitted waiting = TestData.submitted(TestData.id(), user, "mesh");
        seen(TestData.publish(TestData.job(waiting, new GlobalJobState.Waiting("full"), 1)));

        isRefused(mine.get(files(waiting, "")), 409, "has not started", "/home/" + user + " on alpha");
        isRefused(mine.get(files(job, "?stream=log")), 422, "'log' is not a stream");
        isRefused(mine.get(files(job, "?offset=-1")), 400, "'offset' must be a whole number");
        isRefused(mine.get(files(job, "?length=65537")), 400, "between 0 and 65536");
        isRefused(mine.get(files(job, "?path=" + "x".repeat(5000))), 422, "at most 4096 characters");
    }

    @Test
    @Attack("a user opens more requests for files than their share")
    void open_requests_of_a_user_are_limited_and_a_silent_agent_is_named() {
        final JobSubmitted job = running();
        final List<CompletableFuture<ApiClient.Answer>> open = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            open.add(asked(mine, files(job, "?path=" + i)));
        }
        agent.requests(4);

        isRefused(mine.get(files(job, "?path=5")), 429, "has 4 open requests");
        open.forEach(one -> isRefused(one.join(), 503, "the agent of 'beta' did not answer within 10 s"));
    }
}
