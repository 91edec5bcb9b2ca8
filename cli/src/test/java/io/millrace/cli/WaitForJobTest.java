package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Terminal;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class WaitForJobTest {

    private static final String WAITING = "{\"id\":\"J\",\"state\":\"waiting\",\"finished\":false}";
    private static final String ENDED =
            "{\"id\":\"J\",\"state\":\"failed\",\"finished\":true,\"outcome\":{\"kind\":\"exited\",\"exitCode\":7}}";
    private static final String ABORTED =
            "{\"id\":\"J\",\"state\":\"aborted\",\"finished\":true,\"reason\":\"no cluster\"}";

    @TempDir
    Path home;

    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(
                Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory()));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** The job that each query returns; the last one repeats. */
    private void job(final String... states) {
        final Iterator<String> next = List.of(states).iterator();
        final String[] now = {""};
        server.createContext("/api/v1/jobs/J", exchange -> {
            now[0] = next.hasNext() ? next.next() : now[0];
            send(exchange, now[0]);
        });
    }

    private void stream(final String text) {
        server.createContext("/api/v1/events", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
            send(exchange, text);
        });
    }

    private static void send(final HttpExchange exchange, final String text) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private int exit() throws Exception {
        final Path token = Files.writeString(home.resolve("token"), "e30.eyJleHAiOjk5OTk5OTk5OTl9.c2ln");
        final ApiClient api = new ApiClient(Settings.read(Map.of(
                "HOME", home.toString(),
                "MILLRACE_API", "http://127.0.0.1:" + server.getAddress().getPort(),
                "MILLRACE_TOKEN_FILE", token.toString())));
        return new WaitForJob(api, new Terminal(false, false, 0, false), "mgsub").until("J");
    }

    @Test
    void it_returns_the_exit_code_of_the_job() throws Exception {
        job(WAITING, WAITING);
        stream("id: 1\nevent: job\ndata: {\"job\":{\"id\":\"K\",\"finished\":true}}\n\nid: 2\ndata: {\"job\":" + ENDED
                + "}\n\n");

        assertThat(exit()).isEqualTo(7);
    }

    @Test
    void a_job_that_ends_before_the_stream_opens_is_noticed() throws Exception {
        job(WAITING, WAITING, ENDED);
        stream(": alive\n\n");

        assertThat(exit()).isEqualTo(7);
    }

    @Test
    void a_broken_stream_is_reopened() throws Exception {
        job(WAITING, WAITING, WAITING, WAITING, ENDED);
        stream("");

        assertThat(exit()).isEqualTo(7);
    }

    @Test
    void a_job_without_an_exit_code_is_a_failure() throws Exception {
        job(ABORTED);

        assertThat(exit()).isEqualTo(ExitCode.FAILED);
    }
}
