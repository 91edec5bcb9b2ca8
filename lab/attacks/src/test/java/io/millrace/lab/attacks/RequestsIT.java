package io.millrace.lab.attacks;

import static io.millrace.lab.attacks.Refused.isProblem;
import static io.millrace.lab.attacks.Refused.revealsNothing;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.lab.attacks.Operations.Operation;
import io.millrace.testing.Attack;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Parameters and headers of requests. */
@TestInstance(Lifecycle.PER_CLASS)
class RequestsIT {

    private final AttackedSite site = AttackedSite.get();
    private Operations.Target victims;

    @BeforeAll
    void the_victim_has_jobs() {
        victims = Victim.on(site).jobs();
    }

    @Attack("a value of a query parameter is code, no number, or too large, and breaks a route or shows jobs of others")
    @TestFactory
    List<DynamicTest> every_parameter_of_every_route() {
        final List<String> values = Cases.read("hostile-values.txt");
        final List<DynamicTest> tests = new ArrayList<>();
        for (final Operation route : Operations.all()) {
            if (route.template().equals("/api/v1/events")) {
                continue; // has none, and is endless
            }
            for (final String parameter : route.parameters()) {
                for (final String value : Cases.sample(route + parameter, values, 2)) {
                    tests.add(DynamicTest.dynamicTest(
                            route + "?" + parameter + "=" + value, () -> with(route, parameter, Cases.text(value))));
                }
            }
        }
        return tests;
    }

    private void with(final Operation route, final String parameter, final String value) {
        final String path = route.path(victims);
        final ApiClient.Answer answer = site.as("mallory")
                .send(
                        route.method(),
                        path + (path.contains("?") ? "&" : "?") + parameter + "="
                                + URLEncoder.encode(value, StandardCharsets.UTF_8),
                        route.body());
        if (answer.status() == 0 || answer.status() >= 400) {
            isProblemUnlessTooLong(answer);
        } else {
            revealsNothing(answer);
        }
    }

    /** A request line beyond the limit of the HTTP server is refused before the service sees it. */
    private static void isProblemUnlessTooLong(final ApiClient.Answer answer) {
        if (answer.status() != 414) {
            isProblem(answer);
        }
    }

    @Attack("a header gives rights, changes the route, or breaks the service")
    @TestFactory
    List<DynamicTest> headers() {
        return Cases.read("hostile-headers.txt").stream()
                .map(line -> DynamicTest.dynamicTest(line, () -> {
                    final String[] words = line.split(": ?", 2);
                    for (final ApiClient client : List.of(site.as("mallory"), ApiClient.anonymous(site.api()))) {
                        final ApiClient.Answer answer = client.get("/api/v1/jobs", words[0], Cases.text(words[1]));
                        revealsNothing(answer);
                        assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
                        assertThat(answer.text()).doesNotContain(victims.job());
                    }
                    assertThat(ApiClient.anonymous(site.api())
                                    .get("/api/v1/handlers", words[0], Cases.text(words[1]))
                                    .status())
                            .isBetween(400, 499);
                }))
                .toList();
    }

    @Attack("a second request is smuggled into the body of the first")
    @TestFactory
    List<DynamicTest> smuggled() {
        final String second = "GET /api/v1/jobs HTTP/1.1\r\nHost: x\r\n\r\n";
        return List.of(
                        List.of("Content-Length", "0\r\nContent-Length: 5"),
                        List.of("Content-Length", "+5"),
                        List.of("Content-Length", "5, 6"),
                        List.of("Content-Length", "-1"),
                        List.of("Content-Length", "0x5"),
                        List.of("Content-Length", "99999999999999999999"),
                        List.of("Transfer-Encoding", "chunked\r\nContent-Length: 5"),
                        List.of("Transfer-Encoding", "chunked, identity"),
                        List.of("Transfer-Encoding", "xchunked"),
                        List.of("Transfer-Encoding", " chunked"),
                        List.of("X", "a\r\n b"),
                        List.of("X", "a\nX-Y: b"),
                        List.of("X y", "a"),
                        List.of("X\0", "a"))
                .stream()
                .map(header -> DynamicTest.dynamicTest(header.toString(), () -> {
                    final ApiClient.Answer answer =
                            ApiClient.anonymous(site.api()).post("/api/v1/jobs", second, header.get(0), header.get(1));
                    assertThat(answer.status()).as(answer.text()).isIn(0, 400, 401, 411, 413, 415, 501);
                    // One refused request has one answer at most.
                    assertThat(answer.text().split("HTTP/1.1 ", -1)).hasSizeLessThanOrEqualTo(1);
                    revealsNothing(answer);
                }))
                .toList();
    }
}
