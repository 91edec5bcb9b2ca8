package io.millrace.migration.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Stack;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The packaged service as a process of its own. */
class MigrationServiceIT {

    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Test
    void it_is_ready_when_it_decides_counts_what_it_does_and_stops_when_told() throws Exception {
        final Process service = start("-Dmillrace.migration.performance-order=beta,alpha");
        try {
            final BufferedReader output = service.inputReader();
            final String root = address(output);
            Thread.ofPlatform().daemon().start(() -> output.lines().forEach(line -> {}));
            final long until = System.nanoTime() + PATIENCE.toNanos();
            HttpResponse<String> ready = get(root + "/q/health/ready");
            while (ready.statusCode() != 200 && System.nanoTime() < until) {
                assertThat(ready.body()).contains("\"trouble\"");
                Thread.sleep(200);
                ready = get(root + "/q/health/ready");
            }
            assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
            assertThat(get(root + "/q/metrics").body()).contains("millrace_loop_lag", "millrace_global_jobs");
            service.destroy();
            assertThat(service.waitFor(60, TimeUnit.SECONDS))
                    .as("it ends when told")
                    .isTrue();
        } finally {
            service.destroyForcibly();
        }
    }

    @Test
    void a_setting_out_of_bounds_stops_it_and_is_named() throws Exception {
        final Process service = start("-Dmillrace.migration.validity=2h");
        final String output = new String(service.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(service.waitFor()).isNotZero();
        assertThat(output).contains("lower millrace.migration.validity");
    }

    private static Process start(final String... settings) throws IOException {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=0",
                "-Dmillrace.kafka.partitions=" + TestLog.PARTITIONS,
                "-Dmillrace.kafka.bootstrap-servers=" + Stack.kafka().bootstrapServers()));
        command.addAll(Arrays.asList(settings));
        command.addAll(List.of(
                "-jar", Path.of("target", "quarkus-app", "quarkus-run.jar").toString()));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static String address(final BufferedReader output) throws IOException {
        final StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            said.append(line).append('\n');
            final Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                return listening.group(1);
            }
        }
        throw new AssertionError("it ended before it listened:\n" + said);
    }

    private static HttpResponse<String> get(final String address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
