package io.millrace.cli.priority;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
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
             "overflow":[%s,%s],"author":"otto","reason":"mine","changedAt":"2026-03-01T07:00:00Z"}
            """.formatted(ON_ALPHA, EVERYWHERE);
    private static final String REQUEST =
            "{\"author\":\"olga\",\"reason\":\"r\",\"basedOn\":3,\"requestedAt\":\"2026-03-01T07:30:00Z\",\"refused\":false}";
    private static final String OURS = "{\"version\":4,\"author\":\"olga\",\"changedAt\":\"2026-03-01T07:30:00Z\"}";
    private static final String THEIRS =
            "{\"version\":4,\"author\":\"ute\",\"changedAt\":\"2026-03-01T07:29:59Z\",\"reason\":\"first\"}";

    @TempDir
    Path home;

    private HttpServer server;
    private String after = OURS;
    private final List<String> sent = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/priority", exchange -> {
            final String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            final String answer = switch (exchange.getRequestMethod()) {
                case "GET" -> sent.isEmpty() ? BEFORE : after;
                case "PUT" -> REQUEST;
                default -> "{\"jobs\":[]}";
            };
            if (!body.isEmpty()) {
                sent.add(exchange.getRequestHeaders().getFirst("If-Match") + " " + body);
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

    private JsonNode weights(final String... arguments) throws Exception {
        final MgprioWeights weights = new MgprioWeights();
        new CommandLine(weights).parseArgs(arguments);
        return weights.rulesAfterChange(api());
    }

    private JsonNode overflow(final String... arguments) throws Exception {
        final MgprioOverflow overflow = new MgprioOverflow();
        new CommandLine(overflow).parseArgs(arguments);
        return overflow.rulesAfterChange(api());
    }

    private void preview(final String... arguments) throws Exception {
        final MgprioPreview preview = new MgprioPreview();
        new CommandLine(preview).parseArgs(arguments);
        preview.preview(api());
    }

    /** The body of the only request, which names the version that was read. */
    private JsonNode body() throws IOException {
        assertThat(sent).singleElement().asString().startsWith("\"3\" ");
        return Json.read(sent.getFirst().substring(4));
    }

    @Test
    void a_changed_weight_keeps_all_other_rules() throws Exception {
        assertThat(weights("--use", "8000", "--reason", "r").path("version").asInt())
                .isEqualTo(4);

        assertThat(body().path("weights")).isEqualTo(Json.read("{\"age\":1000,\"use\":8000}"));
        for (final String part : List.of(
                "maxAge",
                "halfLife",
                "classFactorsPercent",
                "urgencyFactorsPercent",
                "projectFactorsPercent",
                "overflow")) {
            assertThat(body().path(part)).as(part).isEqualTo(Json.read(BEFORE).path(part));
        }
    }

    @Test
    void a_reach_rule_replaces_the_one_for_the_same_cluster_and_partition() throws Exception {
        overflow("--cluster", "alpha", "--from", "main", "--at", "6000", "--to", "fast,span", "--reason", "r");

        assertThat(body().path("overflow"))
                .isEqualTo(Json.read(
                        "[{\"cluster\":\"alpha\",\"from\":\"main\",\"minPriority\":6000,\"to\":[\"fast\",\"span\"]},"
                                + EVERYWHERE + "]"));
        assertThat(body().path("weights")).isEqualTo(Json.read(BEFORE).path("weights"));
    }

    @Test
    void a_reach_rule_for_another_partition_is_added() throws Exception {
        overflow("--cluster", "alpha", "--at", "6000", "--to", "span", "--reason", "r");

        assertThat(body().path("overflow"))
                .isEqualTo(Json.read("[" + ON_ALPHA + "," + EVERYWHERE
                        + ",{\"cluster\":\"alpha\",\"minPriority\":6000,\"to\":[\"span\"]}]"));
    }

    @Test
    void an_existing_reach_rule_can_be_removed() throws Exception {
        overflow("--drop", "--reason", "r");

        assertThat(body().path("overflow")).isEqualTo(Json.read("[" + ON_ALPHA + "]"));
        sent.clear();
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> overflow("--drop", "--cluster", "beta", "--reason", "r"))
                .withMessage("no rule for --cluster beta and --from (none); list the rules with mgprio overflow");
        assertThat(sent).isEmpty();
    }

    @Test
    void an_incomplete_reach_rule_and_a_change_without_a_reason_are_not_sent() {
        for (final String[] arguments : List.of(
                new String[] {"--at", "5000", "--reason", "r"},
                new String[] {"--to", "fast", "--reason", "r"},
                new String[] {"--from", "main", "--reason", "r"},
                new String[] {"--drop", "--at", "5000", "--reason", "r"})) {
            assertThatExceptionOfType(CommandException.class)
                    .isThrownBy(() -> overflow(arguments))
                    .withMessage("give both --at and --to, or --drop to remove the rule");
        }
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> overflow("--at", "5000", "--to", "fast"))
                .withMessage("a change requires --reason");
        assertThat(sent).isEmpty();
    }

    @Test
    void a_concurrent_change_is_named_in_the_error() {
        after = THEIRS;

        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(() -> overflow("--at", "5000", "--to", "fast", "--reason", "r"))
                .withMessageContaining(
                        "ute changed the rules first (now version 4, 2026-03-01T07:29:59Z; reason: first)");
    }

    @Test
    void a_preview_sends_all_overflow_rules_or_none_if_only_weights_are_given() throws Exception {
        preview("--at", "4000", "--to", "span", "--cluster", "alpha", "--from", "main");
        preview("--age", "5");

        assertThat(sent.getFirst())
                .isEqualTo(
                        "null {\"weights\":{},\"overflow\":[{\"cluster\":\"alpha\",\"from\":\"main\",\"minPriority\":4000,"
                                + "\"to\":[\"span\"]}," + EVERYWHERE + "],\"cluster\":\"alpha\"}");
        assertThat(sent.getLast()).isEqualTo("null {\"weights\":{\"age\":5}}");
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(this::preview)
                .withMessageContaining("nothing to preview; give a weight");
    }

    @Test
    void overflow_rules_are_shown_one_per_line_and_can_be_limited_to_one_cluster() throws Exception {
        final JsonNode rules = Json.read(BEFORE).path("overflow");
        final Terminal pipe = new Terminal(false, false, 0, false);

        assertThat(PartitionOverflowText.table(rules, null).lines(pipe))
                .containsExactly(
                        "CLUSTER  FROM  MIN-PRIORITY  TO",
                        "alpha    main          5000  fast",
                        "*        *          1000000  idle");
        assertThat(PartitionOverflowText.table(rules, "beta").lines(pipe)).hasSize(2);
        assertThat(PriorityText.rules(Json.read(BEFORE)))
                .endsWith(
                        "  priority 5000 and above opens fast (cluster alpha, partition main)",
                        "  priority 1000000 and above opens idle (all clusters, any partition)");
    }
}
