package io.millrace.cli;

import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers requests with given bodies, and keeps what was requested. */
public final class FakeApi implements AutoCloseable {

    private record Answer(int status, String body) {}

    private static final Answer NOT_FOUND = new Answer(404, "{\"detail\":\"not found\"}");

    private final Path home;
    private final HttpServer server;
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();
    private final Map<String, Queue<Answer>> later = new ConcurrentHashMap<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    public FakeApi(final Path home) throws IOException {
        this.home = home;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1", exchange -> {
            final String path = exchange.getRequestURI().toString().substring("/api/v1".length());
            final String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            requests.add(exchange.getRequestMethod() + " " + path + (body.isEmpty() ? "" : " " + body));
            final String route = path.replaceFirst("\\?.*", "");
            final Answer answer = answers.getOrDefault(route, NOT_FOUND);
            final Queue<Answer> next = later.get(route);
            if (next != null && !next.isEmpty()) {
                answers.put(route, next.remove());
            }
            if (answer.status() == 307) {
                exchange.getResponseHeaders().add("Location", "http://elsewhere.example/api/v1" + answer.body());
            }
            if (answer.status() == 503 || answer.status() == 429) {
                exchange.getResponseHeaders().add("Retry-After", "0");
            }
            exchange.sendResponseHeaders(answer.status(), 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer.body().getBytes(StandardCharsets.UTF_8));
            }
        });
        server.start();
    }

    public FakeApi answer(final String path, final String body) {
        answers.put(path, new Answer(200, body));
        return this;
    }

    /** Answers that a job of this name is a batch, as the service does. */
    public FakeApi redirect(final String path, final String other) {
        answers.put(path, new Answer(307, other));
        return this;
    }

    public FakeApi refuse(final String path, final int status, final String detail) {
        answers.put(path, refusal(status, detail));
        return this;
    }

    /** @param errors the invalid fields, as JSON */
    public FakeApi refuseFields(final String path, final String errors) {
        answers.put(path, new Answer(422, "{\"detail\":\"fields are invalid\",\"errors\":[" + errors + "]}"));
        return this;
    }

    /** Answers the next requests after those that have an answer already. */
    public FakeApi afterwards(final String path, final String body) {
        return afterwards(path, new Answer(200, body));
    }

    public FakeApi afterwardsRefuse(final String path, final int status, final String detail) {
        return afterwards(path, refusal(status, detail));
    }

    private FakeApi afterwards(final String path, final Answer answer) {
        later.computeIfAbsent(path, same -> new ConcurrentLinkedQueue<>()).add(answer);
        return this;
    }

    private static Answer refusal(final int status, final String detail) {
        return new Answer(status, "{\"detail\":\"" + detail + "\"}");
    }

    public List<String> requests() {
        return requests;
    }

    public ApiClient client() throws Exception {
        return new ApiClient(Settings.read(environment()));
    }

    /** The variables of a shell in which commands use this API. */
    public Map<String, String> environment() throws IOException {
        final Path token = home.resolve("token");
        if (!Files.exists(token)) {
            // {"sub":"anna","exp":9999999999}
            Files.writeString(token, "e30.eyJzdWIiOiJhbm5hIiwiZXhwIjo5OTk5OTk5OTk5fQ.c2ln");
        }
        return Map.of(
                "HOME",
                home.toString(),
                "MILLRACE_API",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "MILLRACE_CLUSTER",
                "alpha",
                "MILLRACE_TOKEN_FILE",
                token.toString());
    }

    /** What the action prints to standard output. */
    public static String printed(final Callable<?> action) throws Exception {
        final PrintStream before = System.out;
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            action.call();
        } finally {
            System.setOut(before);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
