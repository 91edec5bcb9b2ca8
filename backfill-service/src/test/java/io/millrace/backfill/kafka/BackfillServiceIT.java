package io.millrace.backfill.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Stack;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The packaged service as a process of its own. */
class BackfillServiceIT {

    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");

    @Test
    void it_is_ready_when_it_decides_counts_what_it_does_and_stops_when_told() throws Exception {
        final Process service = start("-Dmillrace.backfill.order=fcfs");
        // Not closed here: the process ends the stream, and closing it under its reader would be an error of the test.
        final BufferedReader output = service.inputReader();
        try {
            final String root = address(output);
            drain(output);
            final long until = System.nanoTime() + Duration.ofSeconds(90).toNanos();
            HttpResponse<String> ready = get(root + "/q/health/ready");
            while (ready.statusCode() != 200 && System.nanoTime() < until) {
                assertThat(ready.body()).contains("\"trouble\"");
                Thread.sleep(200);
                ready = get(root + "/q/health/ready");
            }
            assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
            assertThat(get(root + "/q/metrics").body())
                    .contains("millrace_loop_lag")
                    .contains("millrace_loop_dead_letters");
            service.destroy();
            assertThat(service.waitFor(60, TimeUnit.SECONDS))
                    .as("it ends when told")
                    .isTrue();
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void a_policy_that_is_not_there_is_named_and_stops_it() throws Exception {
        final Process service = start("-Dmillrace.backfill.reservations=5");
        final String output =
                new String(service.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);

        assertThat(service.waitFor()).isNotZero();
        assertThat(output).contains("reservations must be 0 (strict order) or 1 (EASY), got 5");
    }

    private static Process start(final String setting) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx160m",
                        "-XX:+UseSerialGC",
                        "-Dquarkus.http.host=127.0.0.1",
                        "-Dquarkus.http.port=0",
                        "-Dmillrace.kafka.partitions=" + Log.PARTITIONS,
                        "-Dmillrace.kafka.bootstrap-servers=" + Stack.kafka().bootstrapServers(),
                        setting,
                        "-jar",
                        Path.of("target", "quarkus-app", "quarkus-run.jar").toString())
                .redirectErrorStream(true)
                .start();
    }

    private static String address(final BufferedReader output) throws IOException {
        final StringBuilder all = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            all.append(line).append('\n');
            final Matcher matcher = LISTENING.matcher(line);
            if (matcher.find()) {
                return matcher.group(1);
            }
        }
        throw new AssertionError("it did not start: " + all);
    }

    /** Nobody may fill the pipe. */
    private static void drain(final BufferedReader output) {
        Thread.ofVirtual().start(() -> output.lines().forEach(line -> {}));
    }

    private static HttpResponse<String> get(final String uri) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(uri)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
