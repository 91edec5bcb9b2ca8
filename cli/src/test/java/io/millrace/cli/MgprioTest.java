package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(600)
class MgprioTest {

    private static final String ON_ALPHA =
            "{\"cluster\":\"alpha\",\"from\":\"main\",\"minPriority\":5000,\"to\":[\"fast\"]}";
    private static final String EVERYWHERE = "{\"minPriority\":1000000,\"to\":[\"idle\"]}";
    private static final String BEFORE = """
            {"version":3,"weights":{"age":1000,"use":5000},"maxAge":"PT168H","halfLife":"PT336H",
             "classFactorsPercent":{"wide":100},"urgencyFactorsPercent":{},"projectFactorsPercent":{"physics":80},
             "reach":[%s,%s],"author":"otto","reason":"mine","changedAt":"2026-03-01T07:00:00Z"}
            """.formatted(ON_ALPHA, EVERYWHERE);
    private static final String ASKED =
            "{\"author\":\"olga\",\"reason\":\"r\",\"basedOn\":3,\"requestedAt\":\"2026-03-01T07:30:00Z\",\"refused\":false}";
    private static final String OURS = "{\"version\":4,\"author\":\"olga\",\"changedAt\":\"2026-03-01T07:30:00Z\"}";
    private static final String THEIRS =
            "{\"version\":4,\"author\":\"ute\",\"changedAt\":\"2026-03-01T07:29:59Z\",\"reason\":\"first\"}";

    @TempDir
    Path home;

    private HttpServer server;
    private String after = OURS;
    private final List<String> asked = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/priority", exchange -> {
            final String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            final String answer = switch (exchange.getRequestMethod()) {
                case "GET" -> asked.isEmpty() ? BEFORE : after;
                case "PUT" -> ASKED;
                default -> "{\"jobs\":[]}";
            };
            if (!body.isEmpty()) {
                asked.add(exchange.getRequestHeaders().getFirst("If-Match") + " " + body);
            }
            exchange.sendResponseHeaders(200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer.getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private ApiClient api() throws Exception {
        final Path token = Files.writeString(home.resolve("token"), "e30.eyJleHAiOjk5OTk5OTk5OTl9.c2ln");
        return new ApiClient(Settings.read(Map.of(
                "HOME", home.toString(),
                "MILLRACE_API", "http://127.0.0.1:" + server.getAddress().getPort(),
                "MILLRACE_TOKEN_FILE", token.toString())));
    }

    private JsonNode weights(final String... words) throws Exception {
        final MgprioWeights weights = new MgprioWeights();
        new CommandLine(weights).parseArgs(words);
        return weights.rulesAfterChange(api());
    }

    private JsonNode reach(final String... words) throws Exception {
        final MgprioReach reach = new MgprioReach();
        new CommandLine(reach).parseArgs(words);
        return reach.rulesAfterChange(api());
    }

    private void preview(final String... words) throws Exception {
        final MgprioPreview preview = new MgprioPreview();
        new CommandLine(preview).parseArgs(words);
        preview.preview(api());
    }

    /** What was asked for, on the version that was seen. */
    private JsonNode body() throws IOException {
        assertThat(asked).singleElement().asString().startsWith("\"3\" ");
        return Json.read(asked.getFirst().substring(4));
    }

    @Test
    void another_weight_keeps_all_else_that_is_in_force() throws Exception {
        assertThat(weights("--use", "8000", "--reason", "r").path("version").asInt())
                .isEqualTo(4);

        assertThat(body().path("weights")).isEqualTo(Json.read("{\"age\":1000,\"use\":8000}"));
        for (final String part : List.of(
                "maxAge",
                "halfLife",
                "classFactorsPercent",
                "urgencyFactorsPercent",
                "projectFactorsPercent",
                "reach")) {
            assertThat(body().path(part)).as(part).isEqualTo(Json.read(BEFORE).path(part));
        }
    }

    @Test
    void an_opening_takes_the_place_of_the_one_of_the_same_cluster_and_partition() throws Exception {
        reach("--cluster", "alpha", "--from", "main", "--at", "6000", "--to", "fast,span", "--reason", "r");

        assertThat(body().path("reach"))
                .isEqualTo(Json.read(
                        "[{\"cluster\":\"alpha\",\"from\":\"main\",\"minPriority\":6000,\"to\":[\"fast\",\"span\"]},"
                                + EVERYWHERE + "]"));
        assertThat(body().path("weights")).isEqualTo(Json.read(BEFORE).path("weights"));
    }

    @Test
    void an_opening_for_others_is_added() throws Exception {
        reach("--cluster", "alpha", "--at", "6000", "--to", "span", "--reason", "r");

        assertThat(body().path("reach"))
                .isEqualTo(Json.read("[" + ON_ALPHA + "," + EVERYWHERE
                        + ",{\"cluster\":\"alpha\",\"minPriority\":6000,\"to\":[\"span\"]}]"));
    }

    @Test
    void an_opening_can_be_dropped_if_there_is_one() throws Exception {
        reach("--drop", "--reason", "r");

        assertThat(body().path("reach")).isEqualTo(Json.read("[" + ON_ALPHA + "]"));
        asked.clear();
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> reach("--drop", "--cluster", "beta", "--reason", "r"))
                .withMessage("nothing is opened for just --cluster beta and --from (none): see mgprio reach");
        assertThat(asked).isEmpty();
    }

    @Test
    void half_an_opening_and_a_change_without_a_reason_are_not_asked_for() {
        for (final String[] words : List.of(
                new String[] {"--at", "5000", "--reason", "r"},
                new String[] {"--to", "fast", "--reason", "r"},
                new String[] {"--from", "main", "--reason", "r"},
                new String[] {"--drop", "--at", "5000", "--reason", "r"})) {
            assertThatExceptionOfType(CommandException.class)
                    .isThrownBy(() -> reach(words))
                    .withMessage("say what is opened with --at and --to, or close it with --drop");
        }
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> reach("--at", "5000", "--to", "fast"))
                .withMessage("say why with --reason");
        assertThat(asked).isEmpty();
    }

    @Test
    void who_comes_second_is_told_who_was_first() {
        after = THEIRS;

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> reach("--at", "5000", "--to", "fast", "--reason", "r"))
                .withMessageContaining("the change of ute at 2026-03-01T07:29:59Z went first (\"first\")");
    }

    @Test
    void openings_are_tried_in_full_and_weights_alone_leave_them_as_they_are() throws Exception {
        preview("--at", "4000", "--to", "span", "--cluster", "alpha", "--from", "main");
        preview("--age", "5");

        assertThat(asked.getFirst())
                .isEqualTo(
                        "null {\"weights\":{},\"reach\":[{\"cluster\":\"alpha\",\"from\":\"main\",\"minPriority\":4000,"
                                + "\"to\":[\"span\"]}," + EVERYWHERE + "],\"cluster\":\"alpha\"}");
        assertThat(asked.getLast()).isEqualTo("null {\"weights\":{\"age\":5}}");
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(this::preview)
                .withMessageContaining("give at least one weight to try");
    }

    @Test
    void what_is_opened_is_shown_line_by_line_also_for_one_cluster() throws Exception {
        final JsonNode openings = Json.read(BEFORE).path("reach");
        final Terminal pipe = new Terminal(false, false, 0, false);

        assertThat(PartitionReachText.table(openings, null).lines(pipe))
                .containsExactly(
                        "CLUSTER  FROM       AT  OPENS",
                        "alpha    main     5000  fast",
                        "*        *     1000000  idle");
        assertThat(PartitionReachText.table(openings, "beta").lines(pipe)).hasSize(2);
        assertThat(PriorityText.rules(Json.read(BEFORE)))
                .endsWith(
                        "  from 5000 on: fast (on alpha, to jobs of main)",
                        "  from 1000000 on: idle (on all clusters, to jobs of any partition)");
    }
}
