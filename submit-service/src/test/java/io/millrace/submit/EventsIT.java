package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
@Timeout(600)
class EventsIT {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final String user = "e" + UUID.randomUUID().toString().substring(0, 8);

    /** A client of the event stream. */
    private static final class Stream implements AutoCloseable {
        private final BufferedReader lines;
        private String id = "";

        Stream(final ApiClient door, final String... headers) throws Exception {
            final HttpRequest.Builder request = door.request("/api/v1/events").header("Accept", "text/event-stream");
            if (headers.length > 0) {
                request.headers(headers);
            }
            final HttpResponse<InputStream> response =
                    ApiClient.client().send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            assertThat(response.statusCode()).isEqualTo(200);
            lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        }

        /** The next event's data, null at the end of the stream. */
        JsonNode next() throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("id:")) {
                    id = line.substring(3).strip();
                } else if (line.startsWith("data:")) {
                    return JSON.readTree(line.substring(5));
                }
            }
            return null;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    private void seen(final String position) {
        assertThat(ApiClient.as(user)
                        .get("/api/v1/jobs", "Millrace-Offset", position)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_stream_begins_with_a_picture_and_goes_on_with_the_changes_of_own_jobs() throws Exception {
        final JobSubmitted before = TestData.submitted(TestData.id(), user, "before");
        seen(TestData.publish(before));
        try (Stream stream = new Stream(ApiClient.as(user))) {
            final JsonNode picture = stream.next();
            assertThat(picture.path("job").path("id").asText())
                    .isEqualTo(before.job().value());
            assertThat(picture.has("change")).isFalse();

            TestData.publish(TestData.submitted(TestData.id(), "mallory", "foreign"));
            TestData.publish(TestData.job(before, new GlobalJobState.Waiting("no idle cores"), 1));
            final JsonNode change = stream.next();
            assertThat(change.path("job").path("id").asText())
                    .isEqualTo(before.job().value());
            assertThat(change.path("job").path("reason").asText()).isEqualTo("no idle cores");
            assertThat(change.path("change").path("state").asText()).isEqualTo("waiting");
        }
    }

    @Test
    void a_job_that_looks_the_same_is_not_repeated() throws Exception {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "once");
        seen(TestData.publish(job));
        final String last;
        try (Stream stream = new Stream(ApiClient.as(user))) {
            stream.next();
            last = stream.id;
        }
        seen(TestData.publish(TestData.job(job, GlobalJobState.Waiting.ACCEPTED, 1)));
        seen(TestData.publish(TestData.job(job, new GlobalJobState.Waiting("quota"), 2)));
        seen(TestData.publish(TestData.job(job, new GlobalJobState.Waiting("no idle cores"), 3)));
        seen(TestData.publish(TestData.job(job, new GlobalJobState.End(new RunOutcome.Exited(0)), 4)));

        try (Stream stream = new Stream(ApiClient.as(user), "Last-Event-ID", last)) {
            assertThat(stream.next().path("change").path("state").asText()).isEqualTo("waiting");
            assertThat(stream.next().path("change").path("state").asText()).isEqualTo("succeeded");
        }
    }

    @Test
    void a_stream_is_taken_up_where_it_was_left() throws Exception {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "resumed");
        seen(TestData.publish(job));
        final String last;
        try (Stream stream = new Stream(ApiClient.as(user))) {
            stream.next();
            last = stream.id;
        }
        seen(TestData.publish(TestData.job(job, new GlobalJobState.Waiting("first"), 1)));
        seen(TestData.publish(TestData.job(job, new GlobalJobState.End(new RunOutcome.Exited(0)), 2)));

        try (Stream stream = new Stream(ApiClient.as(user), "Last-Event-ID", last)) {
            assertThat(stream.next().path("change").path("state").asText()).isEqualTo("waiting");
            assertThat(stream.next().path("change").path("state").asText()).isEqualTo("succeeded");
        }
    }

    @Test
    void a_stream_that_cannot_be_resumed_begins_anew() throws Exception {
        final JobSubmitted job = TestData.submitted(TestData.id(), user, "anew");
        seen(TestData.publish(job));

        try (Stream stream = new Stream(ApiClient.as(user), "Last-Event-ID", "999999999")) {
            assertThat(stream.next().path("job").path("id").asText())
                    .isEqualTo(job.job().value());
        }
    }

    @Test
    void operators_see_the_changes_of_everybody() throws Exception {
        try (Stream stream = new Stream(ApiClient.as(TestSite.OPERATOR))) {
            final JobSubmitted job = TestData.submitted(TestData.id(), user, "for operators");
            TestData.publish(job);
            JsonNode event = stream.next();
            while (!event.path("job").path("id").asText().equals(job.job().value())) {
                event = stream.next();
            }
            assertThat(event.path("job").path("user").asText()).isEqualTo(user);
        }
    }

    @Test
    void a_stream_ends_with_its_token() throws Exception {
        final String token = TestTokens.with(
                user, claims -> claims.expirationTime(Date.from(Instant.now().plusSeconds(10))));
        try (Stream stream = new Stream(ApiClient.withToken(token))) {
            assertThat(stream.next()).isNull();
        }
    }
}
