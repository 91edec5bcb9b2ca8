package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.projection.WaitForProjection;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests about jobs that were accepted, but that the read model does not contain yet. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class LaggingReadModelIT {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);
    private static final String LOCK =
            "select next_offset from projection_offset where topic = 'millrace.submissions' for update";

    @Inject
    WaitForProjection projection;

    @Inject
    DataSource database;

    private final ApiClient ina = ApiClient.as("ina");

    @BeforeEach
    void an_earlier_job_is_in_the_read_model() {
        assertThat(ina.get("/api/v1/jobs", "Millrace-Offset", TestData.clusters())
                        .status())
                .isEqualTo(200);
        final ApiClient.Answer earlier = ina.post("/api/v1/jobs", TestData.body("earlier"));
        assertThat(ina.get("/api/v1/jobs", "Millrace-Offset", earlier.header("Millrace-Offset"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_job_is_found_as_soon_as_it_was_accepted() throws Exception {
        final ApiClient.Answer shown = answeredLate(() -> {
            final String id = accepted(ina.post("/api/v1/jobs", TestData.body("late")));
            return () -> ina.get("/api/v1/jobs/" + id.toLowerCase(Locale.ROOT));
        });

        assertThat(shown.status()).as("%s", shown.body()).isEqualTo(200);
        assertThat(shown.body().path("name").asText()).isEqualTo("late");
    }

    @Test
    void a_job_that_another_instance_accepted_is_found() throws Exception {
        final JobSubmitted job = TestData.submitted(TestData.id(), "ina", "elsewhere");
        final ApiClient.Answer shown = answeredLate(() -> {
            TestData.publish(job);
            return () -> ina.get("/api/v1/jobs/" + job.job());
        });

        assertThat(shown.status()).as("%s", shown.body()).isEqualTo(200);
        assertThat(shown.body().path("name").asText()).isEqualTo("elsewhere");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/jobs", "/api/v1/jobs/counts"})
    void lists_contain_a_job_as_soon_as_it_was_accepted(final String list) throws Exception {
        final String name = "listed" + list.length();
        final ApiClient.Answer shown = answeredLate(() -> {
            accepted(ina.post("/api/v1/jobs", TestData.body(name)));
            return () -> ina.get(list + "?name=" + name);
        });

        assertThat(shown.status()).as("%s", shown.body()).isEqualTo(200);
        assertThat(shown.body().path("jobs").size()
                        + shown.body().path("counts").size())
                .isEqualTo(1);
    }

    @Test
    void a_batch_is_stopped_with_all_its_jobs() throws Exception {
        final ApiClient.Answer stopped = answeredLate(() -> {
            final String id = accepted(ina.post("/api/v1/batches", """
                    {"command": ["sleep", "1"], "walltime": "60", "source": "alpha", "directory": "/home/ina/run",
                     "array": "1-20"}"""));
            return () -> ina.post("/api/v1/batches/" + id + "/stop", "{}");
        });

        assertThat(stopped.status()).as("%s", stopped.body()).isEqualTo(202);
        assertThat(stopped.body().path("requested").asInt()).isEqualTo(20);
    }

    @Test
    void a_job_can_be_the_dependency_of_the_next_one_at_once() throws Exception {
        final ApiClient.Answer next = answeredLate(() -> {
            final String id = accepted(ina.post("/api/v1/jobs", TestData.body("before")));
            return () -> ina.post(
                    "/api/v1/jobs",
                    TestData.body("after").replaceFirst("\\{", "{\"dependency\": \"afterok:" + id + "\", "));
        });

        assertThat(next.status()).as("%s", next.body()).isEqualTo(202);
    }

    private static String accepted(final ApiClient.Answer answer) {
        assertThat(answer.status()).as("%s", answer.body()).isEqualTo(202);
        return answer.body().path("id").asText();
    }

    /** Answers a request that is sent while the projection is held back; it is continued when the request waits for it. */
    private ApiClient.Answer answeredLate(final Supplier<Supplier<ApiClient.Answer>> scene) throws SQLException {
        final CompletableFuture<ApiClient.Answer> answer;
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            try (ResultSet locked = statement.executeQuery(LOCK)) {
                assertThat(locked.next()).isTrue();
                answer = CompletableFuture.supplyAsync(scene.get(), THREADS);
                CompletableFuture.anyOf(
                                answer, CompletableFuture.runAsync(() -> projection.pauseUnlessAwaited(LIMIT), THREADS))
                        .join();
                assertThat(answer).as("answered by a read model that lags").isNotDone();
            } finally {
                connection.rollback();
            }
        }
        return answer.join();
    }
}
