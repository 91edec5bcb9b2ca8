package io.millrace.cli.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class MgquotaTest {

    private static final String BEFORE = """
            {"cluster":"alpha","holder":"anna","cores":8,"version":3,"terms":{"gpus":2,"lendingLimit":4,
             "periods":[{"from":"2026-03-09T00:00:00Z","until":"2026-03-16T00:00:00Z","cores":64}]}}""";
    private static final String REQUEST = """
            {"cores":16,"author":"olga","reason":"r","basedOn":3,"requestedAt":"2026-03-01T07:30:00Z","warnings":["too much"]}""";
    private static final String OURS = """
            {"cluster":"alpha","holder":"anna","cores":16,"version":4,"author":"olga","changedAt":"2026-03-01T07:30:00Z"}""";
    private static final String THEIRS = """
            {"cluster":"alpha","holder":"anna","cores":12,"version":4,"author":"otto","reason":"mine",
             "changedAt":"2026-03-01T07:29:59Z"}""";

    @TempDir
    Path home;

    private HttpServer server;
    private final List<String> puts = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** The quota that each query returns; the last one repeats. */
    private void quota(final String... states) {
        final Iterator<String> next = List.of(states).iterator();
        final String[] now = {""};
        server.createContext("/api/v1/quotas/alpha/anna", exchange -> {
            if (exchange.getRequestMethod().equals("PUT")) {
                puts.add(exchange.getRequestHeaders().getFirst("If-Match") + " "
                        + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                send(exchange, REQUEST);
            } else {
                now[0] = next.hasNext() ? next.next() : now[0];
                send(exchange, now[0]);
            }
        });
    }

    private static void send(final HttpExchange exchange, final String text) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private int set(final String... more) throws Exception {
        final Path token = Files.writeString(home.resolve("token"), "e30.eyJleHAiOjk5OTk5OTk5OTl9.c2ln");
        final MgquotaSet set = new MgquotaSet();
        final List<String> arguments = new ArrayList<>(List.of("alpha", "anna", "16", "--reason", "r"));
        arguments.addAll(List.of(more));
        new picocli.CommandLine(set).parseArgs(arguments.toArray(String[]::new));
        return set.change(new ApiClient(Settings.read(Map.of(
                "HOME", home.toString(),
                "MILLRACE_API", "http://127.0.0.1:" + server.getAddress().getPort(),
                "MILLRACE_TOKEN_FILE", token.toString()))));
    }

    @Test
    void a_change_names_the_version_that_was_read_keeps_other_terms_and_waits_until_it_is_in_force() throws Exception {
        quota(BEFORE, BEFORE, OURS);

        assertThat(set("--gpus", "4")).isEqualTo(ExitCode.OK);

        assertThat(puts).hasSize(1);
        assertThat(puts.getFirst()).startsWith("\"3\" ");
        final JsonNode body = Json.read(puts.getFirst().substring(4));
        assertThat(body.path("cores").asInt()).isEqualTo(16);
        assertThat(body.path("gpus").asInt()).isEqualTo(4);
        assertThat(body.path("lendingLimit").asInt()).isEqualTo(4);
        assertThat(body.path("periods").path(0).path("cores").asInt()).isEqualTo(64);
    }

    @Test
    void a_plain_change_removes_terms_that_are_not_given() throws Exception {
        quota(BEFORE, OURS);

        set("--plain", "--period", "2026-04-01T00:00Z/2026-04-02T00:00Z=5");

        final JsonNode body = Json.read(puts.getFirst().substring(4));
        assertThat(body.has("lendingLimit")).isFalse();
        assertThat(body.path("periods")).hasSize(1);
        assertThat(body.path("periods").path(0).path("until").asText()).isEqualTo("2026-04-02T00:00Z");
    }

    @Test
    void a_concurrent_change_is_named_in_the_error() {
        quota(BEFORE, THEIRS);

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(this::set)
                .withMessage("otto changed it first (now 12 cores, version 4; reason: mine). Check it and retry.");
    }

    @Test
    void the_reason_of_a_refusal_comes_from_the_service() {
        quota(
                BEFORE,
                BEFORE.replace(
                        "\"cores\":8",
                        "\"refusal\":{\"request\":" + REQUEST + ",\"reason\":\"no such version\"},\"cores\":8"));

        assertThatExceptionOfType(CommandException.class).isThrownBy(this::set).withMessage("refused: no such version");
    }

    @Test
    void quotas_are_shown_with_their_periods_and_refusals() throws IOException {
        final JsonNode answer = Json.read("{\"quotas\":[" + BEFORE + "]}");

        assertThat(MgquotaShow.lines(answer, "alpha", Terminal.of(Map.of())))
                .satisfiesExactly(
                        heading -> assertThat(heading).startsWith("CLUSTER"),
                        row -> assertThat(row.split("\\s+"))
                                .startsWith("alpha", "anna", "8", "2", "-", "4", "-", "-", "-", "3"),
                        note -> assertThat(note)
                                .isEqualTo(
                                        "alpha/anna: 64 cores from 2026-03-09T00:00:00Z until 2026-03-16T00:00:00Z"));
        assertThat(MgquotaShow.lines(answer, "beta", Terminal.of(Map.of()))).containsExactly("no quotas");
    }

    @Test
    void the_enforcement_of_quotas_is_shown_for_each_cluster() throws IOException {
        final JsonNode answer = Json.read("""
                {"clusters":[{"name":"alpha","control":"native","wlm":"slurm 22.05","quotaEnforcement":"tiers-and-limits"}]}""");

        assertThat(MgquotaClusters.lines(answer, Terminal.of(Map.of())).getLast())
                .containsPattern("alpha +native +slurm 22.05 +tiers-and-limits");
    }
}
