package io.millrace.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Attack;
import io.millrace.testing.KafkaAndMariaDb;
import io.quarkus.test.common.ResourceArg;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the port of the API answers to strangers besides its routes. */
@QuarkusTest
@WithTestResource(value = KafkaAndMariaDb.class, initArgs = @ResourceArg(name = "database", value = "submit"))
@WithTestResource(TestSite.class)
class InternalRoutesIT {

    private static final List<String> INTERNAL = List.of(
            "health",
            "health/live",
            "health/ready",
            "health/started",
            "health/well",
            "health/group/x",
            "metrics",
            "metrics/prometheus",
            "info",
            "dev",
            "dev-ui",
            "arc",
            "arc/beans",
            "graphql-ui", // swagger-ui is in no package, but Quarkus serves it in tests
            "scheduler",
            "shutdown");

    static Stream<String> probes() {
        return INTERNAL.stream()
                .flatMap(path -> Stream.of("/q/" + path, "/q/" + path + "/", "/q/./" + path + ";x=1", "//q/" + path));
    }

    @ParameterizedTest
    @MethodSource("probes")
    @Attack("reads health, metrics or other internals at the port of the API without a token")
    void internals_are_not_at_the_port_of_the_api(final String path) throws IOException {
        final String answer = raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(answer).matches("(?s)HTTP/1.1 (404|401|405|400) .*");
        assertThat(answer).doesNotContain("jvm_", "\"checks\"", "millrace_");
    }

    @Test
    void health_and_metrics_are_at_a_port_of_their_own() {
        assertThat(ApiClient.management("/q/health/live").status()).isEqualTo(200);
        assertThat(ApiClient.management("/q/metrics").response().body()).contains("millrace_");
    }

    @Test
    @Attack("lets a browser guess the type of an answer, frame it, cache it or send its address to another site")
    void every_answer_has_the_headers_that_protect_browsers() throws IOException {
        for (final String path : List.of("/api/v1/jobs", "/q/openapi", "/nothing", "/api/v1/nothing")) {
            assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
                    .as(path)
                    .containsIgnoringCase("X-Content-Type-Options: nosniff")
                    .containsIgnoringCase("Cache-Control: no-store")
                    .containsIgnoringCase("Content-Security-Policy: default-src 'none'")
                    .containsIgnoringCase("Referrer-Policy: no-referrer")
                    .containsIgnoringCase("X-Frame-Options: DENY");
        }
        final ApiClient.Answer jobs = ApiClient.as("anna").get("/api/v1/jobs");
        assertThat(jobs.header("Cache-Control")).contains("no-store");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example",
                "evil.example:8080",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "127.0.0.1@evil.example",
                "0.0.0.0",
                "[::2]",
                "169.254.169.254",
                "localhost evil.example"
            })
    @Attack(
            "points the name of a foreign page at a loopback address, so that a browser sends it the user's answers (DNS rebinding)")
    void a_loopback_service_answers_only_its_own_names(final String host) throws IOException {
        assertThat(raw("GET /q/openapi HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .matches("(?s)HTTP/1.1 4(00|21) .*")
                .doesNotContain("openapi: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "LOCALHOST:8080", "127.0.0.1", "127.1.2.3:99", "[::1]:7070"})
    void its_own_names_are_answered(final String host) throws IOException {
        assertThat(raw("GET /q/openapi HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    private static String raw(final String request) throws IOException {
        final URI service = ApiClient.uri("/");
        try (Socket socket = new Socket(service.getHost(), service.getPort());
                InputStream answer = socket.getInputStream()) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
