package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.jwk.JWKSet;
import io.millrace.model.GlobalJobId;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.authorization.SignedAuthorization;
import io.millrace.model.job.JobSpec;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class SubmitIT {

    @Inject
    ReadModel model;

    @Inject
    SubmitSettings settings;

    @Inject
    DataSource database;

    private ApiClient anna;

    @BeforeEach
    void clusters() {
        anna = ApiClient.as("anna");
        assertThat(anna.get("/api/v1/jobs", "Millrace-Offset", TestData.clusters())
                        .status())
                .isEqualTo(200);
    }

    @Test
    @Attack("a stranger charges a project")
    void only_members_submit_for_a_project() {
        final String body = """
            {"script": "#!/bin/sh\\ntrue\\n", "walltime": "5", "source": "alpha", "directory": "/home/anna/run",
             "project": "secretproj"}\
            """;
        for (final String route : List.of("/api/v1/jobs", "/api/v1/jobs/dry-run")) {
            final ApiClient.Answer refused = anna.post(route, body);
            assertThat(refused.status()).as(route).isEqualTo(403);
            assertThat(refused.body().path("detail").asText())
                    .contains("user 'anna' is not a member of project 'secretproj'");
        }
        assertThat(ApiClient.as("boss-of-secretproj").post("/api/v1/jobs", body).status())
                .isEqualTo(202);
    }

    @Test
    @Attack("the key of one cluster is used beyond what the site gave its issuer")
    void a_login_speaks_for_what_the_site_gave_its_issuer() {
        final ApiClient stranger = ApiClient.as("stranger-of-alpha");
        assertThat(stranger.get("/api/v1/jobs").status()).isEqualTo(401);
        final ApiClient beta = ApiClient.withToken(TestTokens.ofBeta(TestSite.OPERATOR));
        assertThat(beta.get("/api/v1/jobs").status()).isEqualTo(200);
        assertThat(beta.get("/api/v1/handlers").status())
                .as("beta vouches for no operator")
                .isEqualTo(403);
        assertThat(ApiClient.as(TestSite.OPERATOR).get("/api/v1/handlers").status())
                .isEqualTo(200);

        final ApiClient.Answer elsewhere = beta.post("/api/v1/jobs", job("alpha", "beta"));
        assertThat(elsewhere.status()).isEqualTo(403);
        assertThat(elsewhere.body().path("detail").asText())
                .contains("a login on 'beta' cannot submit jobs whose directory is on 'alpha'");
        final ApiClient.Answer refused = beta.post("/api/v1/jobs", job("beta", "alpha"));
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body().path("detail").asText()).contains("issuer-not-accepted");
        assertThat(beta.post("/api/v1/jobs", job("beta", "beta")).status()).isEqualTo(202);
    }

    private static String job(final String source, final String target) {
        return """
            {"script": "#!/bin/sh\\ntrue\\n", "walltime": "5", "source": "%s", "directory": "/home/olga/run",
             "target": "%s"}\
            """.formatted(source, target);
    }

    @Test
    void the_arguments_of_a_script_are_kept_as_they_are_sent() {
        final ApiClient.Answer accepted = anna.post("/api/v1/jobs", """
            {"script": "#!/bin/sh\\ncat \\"$@\\"\\n", "arguments": ["two words", "", "$HOME"], "walltime": "5",
             "source": "alpha", "directory": "/home/anna/run"}\
            """);

        assertThat(accepted.status()).as(accepted.response().body()).isEqualTo(202);
        assertThat(anna.get(
                                "/api/v1/jobs/" + accepted.body().path("id").asText(),
                                "Millrace-Offset",
                                accepted.header("Millrace-Offset"))
                        .body()
                        .path("arguments"))
                .extracting(JsonNode::asText)
                .containsExactly("two words", "", "$HOME");
    }

    @Test
    void a_read_that_names_the_offset_of_a_submission_sees_the_job() {
        final ApiClient.Answer accepted = anna.post("/api/v1/jobs", TestData.body("first"));

        assertThat(accepted.status()).as(accepted.response().body()).isEqualTo(202);
        final String id = accepted.body().path("id").asText();
        assertThat(accepted.header("Location")).endsWith("/api/v1/jobs/" + id);
        final String offset = accepted.header("Millrace-Offset");
        assertThat(offset).startsWith("millrace.submissions/0/");
        final ApiClient.Answer shown = anna.get("/api/v1/jobs/" + id, "Millrace-Offset", offset);
        assertThat(shown.status()).isEqualTo(200);
        assertThat(shown.body().path("state").asText()).isEqualTo("waiting");
        assertThat(shown.body().path("user").asText()).isEqualTo("anna");
        assertThat(shown.body().path("walltime").asText()).isEqualTo("PT1H");
        assertThat(shown.body().path("script").asText()).isEqualTo("#!/bin/sh\nexec 'sleep' '1'\n");
    }

    @Test
    void a_submission_is_signed_for_its_owner_its_id_and_its_scripts() throws Exception {
        final ApiClient.Answer accepted = anna.post("/api/v1/jobs", TestData.body("signed"));
        final String id = accepted.body().path("id").asText();
        anna.get("/api/v1/jobs/" + id, "Millrace-Offset", accepted.header("Millrace-Offset"));

        final var submission = model.job(GlobalJobId.of(id)).orElseThrow().job().submission();
        final SignedAuthorization signed = SignedAuthorization.of(submission.signature());
        final Path published = settings.keyDir().resolve("submission-keys.pub.json");
        final var key = JWKSet.parse(Files.readString(published))
                .getKeyByKeyId(signed.authorization().key());
        assertThat(signed.isBy(key.toECKey().toECPublicKey())).isTrue();
        assertThat(signed.authorization())
                .isEqualTo(Authorization.submission(
                        key.getKeyID(),
                        new Authorization.Origin(
                                submission.owner(),
                                submission.issuer(),
                                submission.job(),
                                submission.source(),
                                submission.directory(),
                                submission.filters()),
                        submission.spec(),
                        submission.submittedAt().plus(settings.signatureLifetime()),
                        submission.submittedAt().plus(SubmitSettings.COPY_SIGNATURE_LIFETIME)));
        assertThat(Files.readString(settings.keyDir().resolve("submission-keys.pub.pem"))
                        .replaceAll("-----[^-]*-----|\\s", ""))
                .isEqualTo(Base64.getEncoder()
                        .encodeToString(key.toECKey().toECPublicKey().getEncoded()));
        assertThat(key.isPrivate()).isFalse();
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(settings.keyDir().resolve("submission-key.json"))))
                .isEqualTo("rw-------");
    }

    @Test
    void the_same_key_and_body_are_the_same_job_and_another_body_is_refused() {
        final String key = UUID.randomUUID().toString();
        final ApiClient.Answer first = anna.post("/api/v1/jobs", TestData.body("keyed"), "Idempotency-Key", key);
        final ApiClient.Answer again = anna.post("/api/v1/jobs", TestData.body("keyed"), "Idempotency-Key", key);
        final ApiClient.Answer other = anna.post("/api/v1/jobs", TestData.body("other"), "Idempotency-Key", key);

        assertThat(again.status()).isEqualTo(202);
        assertThat(again.body().path("id")).isEqualTo(first.body().path("id"));
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.body().path("detail").asText()).contains("Idempotency-Key");
        assertThat(anna.get(
                                "/api/v1/jobs/" + first.body().path("id").asText(),
                                "Millrace-Offset",
                                first.header("Millrace-Offset"))
                        .body()
                        .path("name")
                        .asText())
                .isEqualTo("keyed");
    }

    @Test
    void the_first_request_with_a_key_does_not_wait_for_the_read_model_and_a_repetition_does() throws Exception {
        final String key = UUID.randomUUID().toString();
        try (Connection connection = database.getConnection();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery(
                        "select * from projection_offset where topic = 'millrace.submissions' for update");
            }
            final ApiClient.Answer first = anna.post("/api/v1/jobs", TestData.body("keyed"), "Idempotency-Key", key);
            final Future<ApiClient.Answer> again =
                    threads.submit(() -> anna.post("/api/v1/jobs", TestData.body("keyed"), "Idempotency-Key", key));
            final Future<ApiClient.Answer> other =
                    threads.submit(() -> anna.post("/api/v1/jobs", TestData.body("other"), "Idempotency-Key", key));

            assertThat(first.status()).as(first.response().body()).isEqualTo(202);
            assertThat(model.job(GlobalJobId.of(first.body().path("id").asText())))
                    .isEmpty();
            connection.rollback();
            assertThat(again.get().status()).isEqualTo(202);
            assertThat(again.get().body().path("submittedAt"))
                    .isEqualTo(first.body().path("submittedAt"));
            assertThat(other.get().status()).isEqualTo(422);
        }
    }

    @Test
    void two_users_with_the_same_key_have_two_jobs() {
        final String key = UUID.randomUUID().toString();
        final ApiClient.Answer annas = anna.post("/api/v1/jobs", TestData.body("mine"), "Idempotency-Key", key);
        final ApiClient.Answer bens =
                ApiClient.as("ben").post("/api/v1/jobs", TestData.body("mine"), "Idempotency-Key", key);

        assertThat(bens.status()).isEqualTo(202);
        assertThat(bens.body().path("id")).isNotEqualTo(annas.body().path("id"));
    }

    @Test
    void of_concurrent_posts_with_one_key_only_those_equal_to_the_first_are_accepted() throws Exception {
        final String key = UUID.randomUUID().toString();
        final List<Callable<ApiClient.Answer>> posts = new ArrayList<>();
        IntStream.range(0, 12)
                .forEach(i -> posts.add(() -> repeatedly(TestData.body(i % 2 == 0 ? "even" : "odd"), key)));
        final List<ApiClient.Answer> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            for (final Future<ApiClient.Answer> answer : threads.invokeAll(posts)) {
                answers.add(answer.get());
            }
        }

        final List<ApiClient.Answer> accepted =
                answers.stream().filter(answer -> answer.status() == 202).toList();
        assertThat(accepted).hasSize(6);
        assertThat(accepted.stream().map(a -> a.body().path("id").asText()))
                .containsOnly(accepted.getFirst().body().path("id").asText());
        assertThat(accepted.stream().map(a -> a.body().path("name").asText()).distinct())
                .hasSize(1);
        assertThat(answers.stream().filter(answer -> answer.status() == 422)).hasSize(6);
    }

    /** A slow service answers 503 while it does not know which request was the first; a client repeats it with the same key. */
    private ApiClient.Answer repeatedly(final String body, final String key) throws InterruptedException {
        ApiClient.Answer answer = anna.post("/api/v1/jobs", body, "Idempotency-Key", key);
        while (answer.status() == 503) {
            Thread.sleep(Duration.ofSeconds(Long.parseLong(answer.header("Retry-After"))));
            answer = anna.post("/api/v1/jobs", body, "Idempotency-Key", key);
        }
        return answer;
    }

    @Test
    void every_wrong_field_is_named() {
        final ApiClient.Answer answer = anna.post("/api/v1/jobs", """
            {"script": "echo no interpreter", "cores": 0, "walltime": "1:99", "source": "gamma", "directory": "run",
             "environment": {"1A": "x"}, "project": "-p", "target": "Beta"}\
            """);

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.body().path("errors").findValuesAsText("field"))
                .containsExactlyInAnyOrder(
                        "script", "cores", "walltime", "source", "directory", "environment.1A", "project", "target");
        assertThat(answer.body().path("errors").toString()).contains("known clusters: alpha, beta");
    }

    @Test
    void an_unknown_field_is_named() {
        final ApiClient.Answer answer = anna.post("/api/v1/jobs", "{\"core\": 4}");

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("errors").path(0).path("field").asText()).isEqualTo("core");
    }

    @Test
    void a_script_beyond_the_cap_is_refused() {
        final String script = "#!/bin/sh\\n" + "#".repeat(JobSpec.MAX_SCRIPT_BYTES);
        final ApiClient.Answer answer = anna.post(
                "/api/v1/jobs",
                "{\"script\": \"" + script
                        + "\", \"cores\": 1, \"walltime\": \"5\", \"source\": \"alpha\", \"directory\":"
                        + " \"/home/anna\"}");

        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("detail").asText()).contains("the maximum is 262144");
    }
}
