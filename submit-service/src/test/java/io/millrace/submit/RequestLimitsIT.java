package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.TransactionalSink;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.millrace.testing.Stack;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
@Timeout(600)
class RequestLimitsIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** One connection for each request. The HTTP/2 client sends all of them on one, and the server accepts 100 streams on it. */
    private static final HttpClient CONNECTIONS =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final String attacker = "m" + UUID.randomUUID().toString().substring(0, 8);
    private final ApiClient victim =
            ApiClient.as("v" + UUID.randomUUID().toString().substring(0, 8));

    @BeforeEach
    void the_clusters_are_known() {
        assertThat(victim.get("/api/v1/jobs", "Millrace-Offset", TestData.clusters())
                        .status())
                .isEqualTo(200);
    }

    private static boolean isRefused(final HttpResponse<?> response) {
        return response.statusCode() == 429;
    }

    /** The position of the end of a transaction, which no read model ever contains. */
    private static String neverProjected() {
        final JobSubmitted job = TestData.submitted(TestData.id(), "nobody-there", "last");
        final String before = TestData.publish(TestData.job(job, new GlobalJobState.Waiting("x"), 1));
        try (TransactionalSink sink = new TransactionalSink(
                Stack.kafka().bootstrapServers(),
                "test",
                "limits-" + UUID.randomUUID(),
                Clock.systemUTC(),
                Stack.PATIENT)) {
            sink.open();
            sink.commit(List.of(OutgoingEvent.put(TestData.job(job, new GlobalJobState.Waiting("y"), 2))));
        }
        final int slash = before.lastIndexOf('/');
        return before.substring(0, slash + 1) + (Long.parseLong(before.substring(slash + 1)) + 2);
    }

    @Attack("60 connections of one user wait for the read model, so that no thread is left for others")
    @Test
    void requests_of_others_are_answered_while_one_user_waits_on_60_connections() throws Exception {
        final String position = neverProjected();
        final List<CompletableFuture<HttpResponse<String>>> waiting = IntStream.range(0, 60)
                .mapToObj(i -> CONNECTIONS.sendAsync(
                        ApiClient.as(attacker)
                                .request("/api/v1/jobs")
                                .header("Millrace-Offset", position)
                                .build(),
                        HttpResponse.BodyHandlers.ofString()))
                .toList();
        try {
            final HttpResponse<String> refused = Stream.of(waiting.toArray(CompletableFuture[]::new))
                    .reduce(CompletableFuture::anyOf)
                    .map(any -> (HttpResponse<String>) any.join())
                    .orElseThrow();
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(JSON.readTree(refused.body()).path("detail").asText())
                    .contains(attacker, "4 waiting requests", "millrace.submit.limits.waiting-at-once");

            for (int i = 0; i < 20; i++) {
                assertThat(victim.get("/api/v1/jobs").status()).isEqualTo(200);
            }
            assertThat(waiting.stream().filter(one -> !one.isDone()).count())
                    .as("the attacker still waits")
                    .isPositive();
        } finally {
            waiting.forEach(one -> one.cancel(true));
        }
    }

    /** In milliseconds, of 41 requests one after the other. */
    private double medianLatency() {
        return IntStream.range(0, 41)
                .mapToDouble(i -> {
                    final long begin = System.nanoTime();
                    assertThat(victim.get("/api/v1/jobs").status()).isEqualTo(200);
                    return (System.nanoTime() - begin) / 1e6;
                })
                .sorted()
                .skip(20)
                .findFirst()
                .orElseThrow();
    }

    private <T> List<CompletableFuture<HttpResponse<T>>> attack(
            final int connections,
            final Function<ApiClient, HttpRequest> request,
            final HttpResponse.BodyHandler<T> answer) {
        return IntStream.range(0, connections)
                .mapToObj(i -> CONNECTIONS.sendAsync(request.apply(ApiClient.as(attacker)), answer))
                .toList();
    }

    /** A busy machine adds some time to each; a service that is held up adds seconds. */
    private static final double NOISE_MS = 50;

    @Attack("60 waiting connections, 30 dry runs and 600 event streams of one user slow down the requests of another")
    @Test
    void the_median_latency_of_others_stays_below_three_times_the_quiet_one() throws Exception {
        final String position = neverProjected();
        final String job =
                "{\"command\":[\"true\"],\"walltime\":\"60\",\"source\":\"alpha\",\"directory\":\"/home/x\"}";
        medianLatency();
        final double quiet = medianLatency();

        final var waiting = attack(
                60,
                client -> client.request("/api/v1/jobs")
                        .header("Millrace-Offset", position)
                        .build(),
                HttpResponse.BodyHandlers.discarding());
        final double whileWaiting = medianLatency();
        final var dryRuns = attack(
                30,
                client -> client.request("/api/v1/jobs/dry-run")
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(job))
                        .build(),
                HttpResponse.BodyHandlers.discarding());
        final double whileDryRuns = medianLatency();
        final var streams = attack(
                600,
                client -> client.request("/api/v1/events")
                        .header("Accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        final double whileStreams = medianLatency();
        waiting.forEach(one -> one.cancel(true));
        dryRuns.forEach(one -> one.cancel(true));
        for (final var stream : streams) {
            stream.join().body().close();
        }
        System.out.printf(
                "median latency of another user, ms: quiet %.1f, 60 waiting %.1f, and 30 dry runs %.1f, and 600"
                        + " streams %.1f%n",
                quiet, whileWaiting, whileDryRuns, whileStreams);
        assertThat(List.of(whileWaiting, whileDryRuns, whileStreams)).allMatch(ms -> ms <= 3 * quiet + NOISE_MS);
    }

    @Attack("a request names a record that the log will never contain, and waits for it")
    @Test
    void an_offset_beyond_the_end_of_the_log_is_refused_at_once() {
        final long begin = System.nanoTime();
        for (final String position : List.of(
                "millrace.submissions/0/" + Long.MAX_VALUE,
                "millrace.submissions/77/0",
                "millrace.submissions/-1/0",
                "millrace.classes/2000000000/5")) {
            final ApiClient.Answer answer = victim.get("/api/v1/jobs", "Millrace-Offset", position);
            assertThat(answer.status()).as("%s: %s", position, answer.body()).isEqualTo(400);
            assertThat(answer.body().path("detail").asText()).contains(position, "Millrace-Offset");
        }
        // The read model is waited for up to five minutes in this test.
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMinutes(2));
    }

    @Attack("one user opens hundreds of event streams")
    @Test
    void event_streams_of_a_user_are_limited_and_closed_ones_do_not_count() throws Exception {
        final List<HttpResponse<InputStream>> open = new ArrayList<>();
        try {
            for (int i = 0; i < 10; i++) {
                open.add(stream(attacker));
            }
            assertThat(open).noneMatch(RequestLimitsIT::isRefused);
            assertThat(stream(attacker)).matches(RequestLimitsIT::isRefused);
            try (InputStream other = stream("w" + attacker).body()) {
                assertThat(other.read()).isNotNegative();
            }
            open.removeFirst().body().close();
            HttpResponse<InputStream> next = stream(attacker);
            while (isRefused(next)) {
                Thread.sleep(100);
                next = stream(attacker);
            }
            open.add(next);
        } finally {
            for (final HttpResponse<InputStream> one : open) {
                one.body().close();
            }
        }
    }

    private static HttpResponse<InputStream> stream(final String user) throws Exception {
        return CONNECTIONS.send(
                ApiClient.as(user)
                        .request("/api/v1/events")
                        .header("Accept", "text/event-stream")
                        .build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    @Attack("one request of 266 kB expands to 260 MB on the log")
    @Test
    void a_batch_that_expands_beyond_the_limit_is_refused_with_the_figure() {
        final String body = """
            {"command": ["true"], "walltime": "60", "source": "alpha", "directory": "/home/mallory",
             "array": "1-1000", "make": "#!/bin/sh\\n# %s", "environment": {"A": "%s"}}\
            """.formatted("m".repeat(200 * 1024), "e".repeat(60 * 1024));
        final ApiClient.Answer answer = ApiClient.as(attacker).post("/api/v1/batches", body);

        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(422);
        assertThat(answer.body().path("detail").asText())
                .contains("1000 jobs", "the maximum is 25165824", "Move large parts into files");
    }
}
