package io.millrace.lab.attacks;

import static io.millrace.lab.attacks.Refused.isProblem;
import static io.millrace.lab.attacks.Refused.revealsNothing;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lab.attacks.Operations.Operation;
import io.millrace.testing.Attack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Each operation of the REST API, called by users without a token, with forged tokens, and with the identifiers of another user's jobs. */
@TestInstance(Lifecycle.PER_CLASS)
class RoutesIT {

    private static final String EVENTS = "/api/v1/events";

    private final AttackedSite site = AttackedSite.get();
    private Operations.Target victims;

    @BeforeAll
    void the_victim_has_jobs() {
        victims = Victim.on(site).jobs();
    }

    @Test
    void the_owner_sees_the_secret() {
        assertThat(site.as(Victim.NAME).get("/api/v1/jobs/" + victims.job()).text())
                .contains(Victim.SECRET);
        assertThat(Operations.all()).hasSizeGreaterThan(45);
    }

    @Attack("a user without a token calls a route")
    @TestFactory
    List<DynamicTest> without_a_token() {
        return Operations.all().stream()
                .map(route -> DynamicTest.dynamicTest(
                        route.toString(), () -> isUnauthenticated(ApiClient.anonymous(site.api()), route)))
                .toList();
    }

    @Attack("a forged token opens a route")
    @TestFactory
    List<DynamicTest> with_a_forged_token() {
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Map.Entry<String, String> token :
                Tokens.forged(site.issuerKey()).entrySet()) {
            final ApiClient forger = ApiClient.withToken(site.api(), token.getValue());
            for (final Operation route : Cases.sample("token " + token.getKey(), Operations.all(), 2)) {
                tests.add(DynamicTest.dynamicTest(
                        route + " with " + token.getKey(), () -> isUnauthenticated(forger, route)));
            }
        }
        return tests;
    }

    private void isUnauthenticated(final ApiClient client, final Operation route) {
        final ApiClient.Answer answer = client.send(route.method(), route.path(victims), route.body());
        isProblem(answer, 401);
        assertThat(answer.header("WWW-Authenticate")).startsWith("Bearer");
        revealsNothing(answer);
    }

    @Attack("a user reads or changes jobs, batches, quotas and handlers of others by their identifiers")
    @TestFactory
    List<DynamicTest> with_the_identifiers_of_another_user() {
        final ApiClient stranger = site.as("mallory");
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Operation route : Operations.all()) {
            if (route.template().equals(EVENTS)) {
                continue; // endless, see StreamsIT
            }
            for (final String body : route.hasBody() ? List.of(route.body(), "{}") : List.of("")) {
                tests.add(DynamicTest.dynamicTest(route + " " + body, () -> foreign(stranger, route, body)));
            }
        }
        return tests;
    }

    private void foreign(final ApiClient stranger, final Operation route, final String body) {
        final ApiClient.Answer answer = stranger.send(route.method(), route.path(victims), body, "If-Match", "\"0\"");
        revealsNothing(answer);
        if (route.template().contains("{id}") || route.template().endsWith("/local-jobs/why")) {
            isProblem(answer, 404);
        } else if (route.template().contains("/handlers")) {
            isProblem(answer, 403);
        } else if (route.template().contains("{user}")) {
            assertThat(answer.status()).as(answer.text()).isIn(403, 404);
        } else if (route.method().equals("PUT")) {
            assertThat(answer.status()).as(answer.text()).isIn(403, 422);
        }
    }

    @Attack("a user changes the identifier of a job until another one is found: prefixes, other cases, appended"
            + " characters")
    @TestFactory
    List<DynamicTest> with_variants_of_an_identifier() {
        final ApiClient stranger = site.as("mallory");
        final String job = victims.job();
        return List.of(
                        job.substring(0, 25),
                        job.substring(0, 20),
                        job.substring(0, 10),
                        job.toLowerCase(java.util.Locale.ROOT),
                        job + "_1",
                        job + ".1",
                        job + "%20",
                        job + "%00",
                        job + "%2Fwhy",
                        "./" + job,
                        "x/../" + job,
                        "%2e%2e/jobs/" + job,
                        job + ";user=victim",
                        job + "?user=victim",
                        "1",
                        "1-9999",
                        "*",
                        "%25",
                        "_" + job.substring(1),
                        victims.batch(),
                        victims.batch() + "_1",
                        "'%20or%20'1'='1")
                .stream()
                .map(id -> DynamicTest.dynamicTest(id, () -> {
                    final ApiClient.Answer answer = stranger.get("/api/v1/jobs/" + id);
                    assertThat(answer.status()).as(answer.text()).isIn(400, 404, 405);
                    revealsNothing(answer);
                }))
                .toList();
    }

    @Attack("a user lists the jobs of others by a filter")
    @TestFactory
    List<DynamicTest> lists_with_filters_for_others() {
        final ApiClient stranger = site.as("mallory");
        return List.of(
                        "/api/v1/jobs?user=victim",
                        "/api/v1/jobs?user=*",
                        "/api/v1/jobs?user=%25",
                        "/api/v1/jobs?user=",
                        "/api/v1/jobs?user=mallory&user=victim",
                        "/api/v1/jobs?all=true",
                        "/api/v1/jobs?batch=" + victims.batch(),
                        "/api/v1/jobs?name=" + Victim.SECRET,
                        "/api/v1/jobs?after=" + victims.job(),
                        "/api/v1/jobs/counts?user=victim",
                        "/api/v1/clusters/gamma/jobs",
                        "/api/v1/clusters/gamma/jobs?user=victim",
                        "/api/v1/clusters/gamma/schedule",
                        "/api/v1/priority/jobs?user=victim",
                        "/api/v1/usage?user=victim",
                        "/api/v1/usage/csv?user=victim",
                        "/api/v1/usage/swf?user=victim",
                        "/api/v1/statements/2026-03/postings?account=use/victim",
                        "/api/v1/quotas?user=victim",
                        "/api/v1/budgets?user=victim",
                        "/api/v1/budgets/victim")
                .stream()
                .map(path -> DynamicTest.dynamicTest(path, () -> {
                    final ApiClient.Answer answer = stranger.get(path);
                    assertThat(answer.status()).as(answer.text()).isLessThan(500);
                    revealsNothing(answer);
                    assertThat(answer.text()).doesNotContain(victims.job()).doesNotContain("\"user\":\"victim\"");
                }))
                .toList();
    }
}
