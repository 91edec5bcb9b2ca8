package io.millrace.cli.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(600)
class MgclassTest {

    private static final String BEFORE =
            "{\"version\":3,\"model\":\"classes: {}\",\"author\":\"otto\",\"changedAt\":\"2026-03-01T07:00:00Z\"}";
    private static final String REQUEST = "{\"author\":\"olga\",\"reason\":\"r\",\"basedOn\":3,"
            + "\"requestedAt\":\"2026-03-01T07:30:00Z\",\"refused\":false}";
    private static final String OURS = "{\"version\":4,\"author\":\"olga\",\"changedAt\":\"2026-03-01T07:30:00Z\"}";
    private static final String THEIRS = "{\"version\":4,\"author\":\"ute\",\"changedAt\":\"2026-03-01T07:29:59Z\"}";
    private static final String REFUSED = "{\"version\":3,\"request\":{\"author\":\"olga\",\"basedOn\":3,"
            + "\"requestedAt\":\"2026-03-01T07:30:00Z\",\"refused\":true,\"error\":\"class model, line 2: no\"}}";
    private static final String PREVIEW = """
            {"requestedAt":"2026-03-01T07:30:00Z","warnings":[],"jobs":10,"changed":1,
             "examples":[{"job":"alpha/1@2026-03-01T07:00:00Z","before":["a"],"after":[]}],
             "stages":[{"stage":"rho","entered":4,"reduced":3,"removed":5}]}""";

    @TempDir
    Path home;

    private HttpServer server;
    /** What GET returns, in order; the last one stays. */
    private final Deque<String> answers = new ArrayDeque<>();

    private final List<String> sent = new ArrayList<>();

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/class-model", exchange -> {
            final String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            final boolean get = exchange.getRequestMethod().equals("GET");
            final String answer = get ? answers.size() > 1 ? answers.poll() : answers.peek() : REQUEST;
            if (!get) {
                sent.add(exchange.getRequestHeaders().getFirst("If-Match") + " " + body);
            }
            exchange.sendResponseHeaders(answer.isEmpty() ? 404 : 200, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write((answer.isEmpty() ? "{}" : answer).getBytes(StandardCharsets.UTF_8));
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

    private String model() throws IOException {
        return Files.writeString(home.resolve("model.yaml"), "classes: {x: y}\n")
                .toString();
    }

    private JsonNode set(final String... options) throws Exception {
        final MgclassSet set = new MgclassSet();
        final List<String> arguments = new ArrayList<>(List.of(model(), "--reason", "r"));
        arguments.addAll(List.of(options));
        new CommandLine(set).parseArgs(arguments.toArray(String[]::new));
        return set.change(api());
    }

    @Test
    void a_model_is_set_on_the_version_in_force_and_the_command_waits_for_it() throws Exception {
        answers.addAll(List.of(BEFORE, BEFORE, OURS));
        assertThat(set().path("version").asInt()).isEqualTo(4);
        assertThat(sent).containsExactly("\"3\" {\"model\":\"classes: {x: y}\\n\",\"reason\":\"r\"}");
    }

    @Test
    void the_version_that_was_edited_can_be_named() throws Exception {
        answers.add(OURS);
        set("--based-on", "2");
        assertThat(sent.getFirst()).startsWith("\"2\" ");
    }

    @Test
    void an_error_in_the_model_and_a_concurrent_change_are_failures() {
        answers.addAll(List.of(BEFORE, REFUSED));
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(this::set)
                .withMessage("class model, line 2: no")
                .matches(failed -> failed.exitCode() == ExitCode.FAILED);
        answers.clear();
        answers.addAll(List.of(BEFORE, THEIRS));
        assertThatExceptionOfType(CommandException.class)
                .isThrownBy(this::set)
                .withMessage("ute changed the model first (now version 4). Check it with mgclass and retry.");
    }

    @Test
    void a_preview_waits_for_its_own_result_and_lists_jobs_and_stages() throws Exception {
        answers.addAll(List.of("", PREVIEW.replace("07:30", "07:10"), PREVIEW));
        final MgclassPreview preview = new MgclassPreview();
        new CommandLine(preview).parseArgs(model());
        final JsonNode result = preview.preview(api());
        assertThat(result).isEqualTo(Json.read(PREVIEW));
        assertThat(MgclassPreview.lines(result, Terminal.of(Map.of())))
                .hasSize(5)
                .startsWith("1 of the last 10 jobs would have other classes")
                .anyMatch(line -> line.matches("alpha/1@2026-03-01T07:00:00Z +a +-"))
                .anyMatch(line -> line.matches("rho +4 +3 +5"));
    }
}
