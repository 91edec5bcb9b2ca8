package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests all routes of the OpenAPI document, so that new routes are included. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class EveryRouteIT {

    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");
    private static final int MIB = 1024 * 1024;

    /** Takes an invitation and no login, before it reads the body. */
    private static final String JOIN = "/join";

    private record Route(String method, String template, boolean body) {
        String path(final String id) {
            return template.replace("{id}", id)
                    .replace("{cluster}", "alpha")
                    .replace("{user}", "victim")
                    .replace("{handler}", "pager")
                    .replace("{holder}", "victim")
                    .replace("{period}", "2026-03")
                    .concat(template.endsWith("/local-jobs/why") ? "?job=alpha/1@2026-03-01T12:00:01Z" : "");
        }

        @Override
        public String toString() {
            return method + " " + template;
        }
    }

    private String foreignJob = "";
    private String foreignBatch = "";

    @BeforeEach
    void jobOfAnotherUser() {
        final ApiClient victim = ApiClient.as("victim");
        victim.get("/api/v1/jobs", "Millrace-Offset", TestData.clusters());
        foreignJob = created(victim, "/api/v1/jobs", TestData.body("victim's"));
        foreignBatch = created(
                victim, "/api/v1/batches", TestData.body("victim's").replaceFirst("\\{", "{\"array\": \"1-2\", "));
        TestData.publish(TestData.local(
                TestData.key(TestData.ALPHA, 1), "victim", new io.millrace.model.cluster.JobState.Queued(), null));
    }

    /** The id of a new job or batch that queries show. */
    private static String created(final ApiClient owner, final String path, final String body) {
        final ApiClient.Answer accepted = owner.post(path, body);
        owner.get("/api/v1/jobs", "Millrace-Offset", accepted.header("Millrace-Offset"));
        return accepted.body().path("id").asText();
    }

    private String path(final Route route) {
        return route.path(route.template().contains("/batches/") ? foreignBatch : foreignJob);
    }

    private static List<Route> routes() {
        final JsonNode paths =
                ApiClient.withoutToken().get("/q/openapi?format=json").body().path("paths");
        final List<Route> routes = new ArrayList<>();
        paths.properties()
                .forEach(path -> path.getValue().properties().forEach(operation -> {
                    if (METHODS.contains(operation.getKey())) {
                        routes.add(new Route(
                                operation.getKey().toUpperCase(java.util.Locale.ROOT),
                                path.getKey(),
                                operation.getValue().has("requestBody")));
                    }
                }));
        return routes;
    }

    @Test
    void the_description_names_the_routes_that_there_are() {
        assertThat(routes())
                .extracting(Route::toString)
                .contains(
                        "POST /api/v1/jobs",
                        "POST /api/v1/jobs/dry-run",
                        "GET /api/v1/jobs",
                        "GET /api/v1/jobs/{id}",
                        "GET /api/v1/jobs/{id}/why",
                        "POST /api/v1/jobs/{id}/stop",
                        "GET /api/v1/clusters",
                        "GET /api/v1/clusters/{cluster}/jobs",
                        "GET /api/v1/local-jobs/why",
                        "GET /api/v1/budgets",
                        "PUT /api/v1/budgets/{holder}",
                        "POST /api/v1/budgets/{holder}/preview",
                        "DELETE /api/v1/budgets/{holder}",
                        "GET /api/v1/quotas",
                        "GET /api/v1/quotas/{cluster}/{user}",
                        "PUT /api/v1/quotas/{cluster}/{user}",
                        "GET /api/v1/statements/{period}",
                        "GET /api/v1/statements/{period}/postings",
                        "GET /api/v1/handlers",
                        "POST /api/v1/handlers/{handler}/resume",
                        "GET /api/v1/events");
    }

    @TestFactory
    @Attack("a route is called without a token, or with one that is expired, forged or of another issuer")
    List<DynamicTest> without_a_good_token_no_route_answers() throws Exception {
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Map.Entry<String, ApiClient> bad : badTokens().entrySet()) {
            for (final Route route : routes()) {
                tests.add(DynamicTest.dynamicTest(route + " with " + bad.getKey(), () -> {
                    final ApiClient.Answer answer = withinRate(
                            () -> bad.getValue().send(route.method(), path(route), route.body() ? "{}" : null));
                    isProblem(answer, 401);
                    assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
                }));
            }
        }
        return tests;
    }

    /** The answer once the address is again below the limit of requests without a valid token, which a fast machine reaches. */
    private static ApiClient.Answer withinRate(final Supplier<ApiClient.Answer> request) throws InterruptedException {
        ApiClient.Answer answer = request.get();
        while (answer.status() == 429) {
            Thread.sleep(Duration.ofSeconds(Long.parseLong(answer.header("Retry-After"))));
            answer = request.get();
        }
        return answer;
    }

    private static Map<String, ApiClient> badTokens() throws Exception {
        final ECKey foreign = new ECKeyGenerator(Curve.P_256).keyID("foreign").generate();
        final ECKey disguised = new ECKeyGenerator(Curve.P_256)
                .keyID(TestTokens.alphasKey().getKeyID())
                .generate();
        final SignedJWT symmetric = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256)
                        .keyID(TestTokens.alphasKey().getKeyID())
                        .build(),
                TestTokens.claims("victim").build());
        symmetric.sign(new MACSigner(
                TestTokens.alphasKey().toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)));
        final Map<String, ApiClient> bad = new TreeMap<>();
        bad.put("no token", ApiClient.withoutToken());
        bad.put("no JWT", ApiClient.withToken("abc"));
        bad.put(
                "an expired token",
                door(c -> c.expirationTime(Date.from(Instant.now().minusSeconds(60)))));
        bad.put("a token without end", door(c -> c.expirationTime(null)));
        bad.put(
                "a token that lives too long",
                door(c -> c.expirationTime(Date.from(Instant.now().plusSeconds(86_400)))));
        bad.put("a token for others", door(c -> c.audience("somebody")));
        bad.put("a token of another issuer", door(c -> c.issuer("agent/beta")));
        bad.put("a token without user", door(c -> c.subject(null)));
        bad.put("a token of an impossible user", door(c -> c.subject("-rf /")));
        bad.put(
                "a token not valid yet",
                door(c -> c.notBeforeTime(Date.from(Instant.now().plusSeconds(600)))));
        bad.put(
                "a foreign key",
                ApiClient.withToken(
                        TestTokens.signed(foreign, TestTokens.claims("victim").build())));
        bad.put(
                "a foreign key under our id",
                ApiClient.withToken(
                        TestTokens.signed(disguised, TestTokens.claims("victim").build())));
        bad.put(
                "alg=none",
                ApiClient.withToken(new PlainJWT(TestTokens.claims("victim").build()).serialize()));
        bad.put("the public key as a secret", ApiClient.withToken(symmetric.serialize()));
        return bad;
    }

    private static ApiClient door(
            final java.util.function.UnaryOperator<com.nimbusds.jwt.JWTClaimsSet.Builder> change) {
        return ApiClient.withToken(TestTokens.with("victim", change));
    }

    @TestFactory
    @Attack("a user reads or changes a job, batch or quota of another user")
    List<DynamicTest> a_wrong_users_token_opens_nothing_of_others() {
        final ApiClient mallory = ApiClient.as("mallory");
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Route route : routes()) {
            if (route.template().equals("/api/v1/events")) {
                continue; // endless; covered by EventsIT
            }
            tests.add(DynamicTest.dynamicTest(route.toString(), () -> {
                final ApiClient.Answer answer = mallory.send(route.method(), path(route), route.body() ? "{}" : null);
                if (route.template().contains("{id}") || route.template().endsWith("/local-jobs/why")) {
                    isProblem(answer, 404);
                } else if (route.template().startsWith("/api/v1/handlers")) {
                    isProblem(answer, 403);
                } else if (route.template().contains("{user}")) {
                    assertThat(answer.status()).isIn(403, 404);
                }
                assertThat(answer.response().body()).doesNotContain("victim's");
            }));
        }
        return tests;
    }

    @TestFactory
    List<DynamicTest> a_body_that_cannot_be_read_is_a_problem() {
        final ApiClient operator = ApiClient.as(TestSite.OPERATOR);
        final List<DynamicTest> tests = new ArrayList<>();
        final Map<String, String> bodies = Map.of(
                "not JSON", "walltime=5",
                "half a JSON", "{\"cores\": ",
                "an array", "[1, 2]",
                "null", "null",
                "a key twice", "{\"reason\": \"a\", \"reason\": \"b\", \"cores\": 1}",
                "two documents", "{} {}",
                "an unknown field", "{\"colour\": \"red\"}",
                "nothing", "");
        for (final Route route : routes()) {
            if (route.body() && !route.template().endsWith(JOIN)) {
                bodies.forEach((what, body) -> tests.add(DynamicTest.dynamicTest(route + " with " + what, () -> {
                    final ApiClient.Answer answer =
                            operator.send(route.method(), path(route), body, "If-Match", "\"0\"");
                    if (what.equals("nothing") && route.template().matches(".*/(stop|hold)")) {
                        assertThat(answer.status()).isEqualTo(202); // the reason is optional
                    } else {
                        isProblem(answer, what.equals("an unknown field") ? 422 : 400);
                    }
                })));
                tests.add(DynamicTest.dynamicTest(
                        route + " with another media type",
                        () -> isProblem(
                                operator.send(route.method(), path(route), "a=b", "Content-Type", "text/plain"), 415)));
            }
        }
        return tests;
    }

    @TestFactory
    @Attack("a body of several MiB fills the memory of the service")
    List<DynamicTest> an_oversized_body_is_turned_away_whether_it_says_its_length_or_not() {
        final ApiClient operator = ApiClient.as(TestSite.OPERATOR);
        final byte[] large = ("{\"reason\": \"" + "x".repeat(MIB) + "\"}").getBytes(StandardCharsets.UTF_8);
        final byte[] huge = ("{\"reason\": \"" + "x".repeat(3 * MIB) + "\"}").getBytes(StandardCharsets.UTF_8);
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Route route : routes()) {
            if (route.body() && !route.template().endsWith(JOIN)) {
                tests.add(DynamicTest.dynamicTest(
                        route + " with a length",
                        () -> isProblem(
                                operator.send(
                                        route.method(), path(route), HttpRequest.BodyPublishers.ofByteArray(large)),
                                413)));
                tests.add(DynamicTest.dynamicTest(
                        route + " in chunks",
                        () -> isProblem(
                                operator.send(
                                        route.method(),
                                        path(route),
                                        HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)),
                                        "If-Match",
                                        "\"0\""),
                                413)));
                tests.add(DynamicTest.dynamicTest(
                        route + " three times as large, with a length",
                        () -> isProblem(
                                operator.send(
                                        route.method(), path(route), HttpRequest.BodyPublishers.ofByteArray(huge)),
                                413)));
            }
        }
        return tests;
    }

    @Test
    void what_is_not_there_or_not_possible_is_a_problem_too() {
        final ApiClient mallory = ApiClient.as("mallory");

        isProblem(mallory.get("/api/v1/nothing"), 404);
        isProblem(ApiClient.withoutToken().get("/api/v1/nothing"), 401);
        final ApiClient.Answer notAllowed = mallory.send("DELETE", "/api/v1/jobs", (String) null);
        isProblem(notAllowed, 405);
        assertThat(notAllowed.header("Allow")).isEqualTo("GET, POST");
        assertThat(mallory.send("PATCH", "/api/v1/quotas/alpha/mallory", (String) null)
                        .header("Allow"))
                .isEqualTo("DELETE, GET, PUT");
        isProblem(mallory.get("/api/v1/jobs", "Accept", "application/pdf"), 406);
        for (final String limit : List.of("many", "0", "-1", "1.5", "99999999999")) {
            final ApiClient.Answer refused = mallory.get("/api/v1/jobs?limit=" + limit);
            isProblem(refused, 400);
            assertThat(refused.body().path("detail").asText())
                    .isEqualTo("'limit' must be a whole number between 1 and 500, got '" + limit + "'");
        }
        final ApiClient.Answer unknown = mallory.get("/api/v1/jobs?states=active");
        isProblem(unknown, 400);
        assertThat(unknown.body().path("detail").asText())
                .startsWith("'states' is not a known parameter; did you mean 'state'? Known parameters: after, batch,"
                        + " cluster");
        assertThat(mallory.get("/api/v1/usage?project=a&untill=2026-03-01").status())
                .isEqualTo(400);
        assertThat(mallory.get("/api/v1/services?verbose").status()).isEqualTo(400);
        isProblem(mallory.get("/api/v1/jobs/not-an-id!"), 404);
    }

    @Test
    void a_new_cluster_is_trusted_as_soon_as_its_key_lies_there() throws Exception {
        final ECKey gamma =
                new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
        final ApiClient door = ApiClient.withToken(TestTokens.signed(
                gamma, TestTokens.claims("anna").issuer("agent/gamma").build()));
        assertThat(door.get("/api/v1/jobs").status()).isEqualTo(401);

        Files.writeString(
                TestTokens.trusted().resolve("gamma.pub.json"),
                gamma.toPublicJWK().toJSONString());

        assertThat(door.get("/api/v1/jobs").status()).isEqualTo(200);
    }

    @Test
    @Attack("a token is used after its key was withdrawn")
    void a_token_that_was_accepted_is_refused_when_its_key_is_no_longer_trusted() throws Exception {
        final ECKey delta =
                new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
        final Path published = Files.writeString(
                TestTokens.trusted().resolve("delta.pub.json"),
                delta.toPublicJWK().toJSONString());
        final ApiClient door = ApiClient.withToken(TestTokens.signed(
                delta, TestTokens.claims("anna").issuer("agent/delta").build()));
        assertThat(door.get("/api/v1/jobs").status()).isEqualTo(200);

        Files.delete(published);

        assertThat(door.get("/api/v1/jobs").status()).isEqualTo(401);
    }

    @Test
    void the_description_needs_no_token() {
        assertThat(ApiClient.withoutToken().get("/q/openapi").status()).isEqualTo(200);
    }

    private static void isProblem(final ApiClient.Answer answer, final int status) {
        assertThat(answer.status()).as(answer.response().body()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).startsWith("application/problem+json");
        assertThat(answer.body().path("status").asInt()).isEqualTo(status);
        assertThat(answer.body().path("type").asText()).startsWith("urn:millrace:problem:");
        assertThat(answer.body().path("title").asText()).isNotBlank();
        assertThat(answer.body().path("detail").asText()).isNotBlank();
    }
}
