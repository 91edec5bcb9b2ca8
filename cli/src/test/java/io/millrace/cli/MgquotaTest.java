package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
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
            {"cluster":"alpha","holder":"anna","cores":8,"version":3,"terms":{"gpus":2,"mayLend":4,
             "periods":[{"from":"2026-03-09T00:00:00Z","until":"2026-03-16T00:00:00Z","cores":64}]}}""";
    private static final String ASKED = """
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

    /** What the quota is, from one look to the next; the last one stays. */
    private void quota(final String... looks) {
        final Iterator<String> next = List.of(looks).iterator();
        final String[] now = {""};
        server.createContext("/api/v1/quotas/alpha/anna", exchange -> {
            if (exchange.getRequestMethod().equals("PUT")) {
                puts.add(exchange.getRequestHeaders().getFirst("If-Match") + " "
                        + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
                send(exchange, ASKED);
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
        final List<String> words = new ArrayList<>(List.of("alpha", "anna", "16", "--reason", "r"));
        words.addAll(List.of(more));
        new picocli.CommandLine(set).parseArgs(words.toArray(String[]::new));
        return set.change(new ApiClient(Settings.read(Map.of(
                "HOME", home.toString(),
                "MILLRACE_API", "http://127.0.0.1:" + server.getAddress().getPort(),
                "MILLRACE_TOKEN_FILE", token.toString()))));
    }

    @Test
    void a_change_says_the_version_it_saw_keeps_what_it_does_not_name_and_waits_until_it_is_in_force()
            throws Exception {
        quota(BEFORE, BEFORE, OURS);

        assertThat(set("--gpus", "4")).isEqualTo(ExitCode.OK);

        assertThat(puts).hasSize(1);
        assertThat(puts.getFirst()).startsWith("\"3\" ");
        final JsonNode body = Json.read(puts.getFirst().substring(4));
        assertThat(body.path("cores").asInt()).isEqualTo(16);
        assertThat(body.path("gpus").asInt()).isEqualTo(4);
        assertThat(body.path("mayLend").asInt()).isEqualTo(4);
        assertThat(body.path("periods").path(0).path("cores").asInt()).isEqualTo(64);
    }

    @Test
    void a_plain_change_drops_what_it_does_not_name() throws Exception {
        quota(BEFORE, OURS);

        set("--plain", "--period", "2026-04-01T00:00Z/2026-04-02T00:00Z=5");

        final JsonNode body = Json.read(puts.getFirst().substring(4));
        assertThat(body.has("mayLend")).isFalse();
        assertThat(body.path("periods")).hasSize(1);
        assertThat(body.path("periods").path(0).path("until").asText()).isEqualTo("2026-04-02T00:00Z");
    }

    @Test
    void who_comes_second_is_told_who_was_first() {
        quota(BEFORE, THEIRS);

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(this::set)
                .withMessageContaining("refused: otto was first and set 12 cores (mine)");
    }

    @Test
    void a_refusal_is_told_in_the_services_words() {
        quota(
                BEFORE,
                BEFORE.replace(
                        "\"cores\":8",
                        "\"refusal\":{\"request\":" + ASKED + ",\"reason\":\"no such version\"},\"cores\":8"));

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
    void it_is_shown_by_what_each_clusters_quotas_are_kept() throws IOException {
        final JsonNode answer = Json.read("""
                {"clusters":[{"name":"alpha","control":"native","wlm":"slurm 22.05","quotaEnforcement":"tiers-and-limits"}]}""");

        assertThat(MgquotaClusters.lines(answer, Terminal.of(Map.of())).getLast())
                .containsPattern("alpha +native +slurm 22.05 +tiers-and-limits");
    }
}
