package io.millrace.testing.service;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged service of the module under test as a process of its own, on the tests' broker. */
public final class ServiceProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile("Listening on: (http://\\S+)");

    private final Process process;

    private ServiceProcess(final Process process) {
        this.process = process;
    }

    /**
     * Starts {@code target/quarkus-app}; returns at once.
     *
     * @param settings system properties, {@code -Dname=value}
     * @throws IOException if there is no Java to start it with
     */
    public static ServiceProcess start(final String... settings) throws IOException {
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=0",
                "-Dmillrace.kafka.partitions=" + TestLog.PARTITIONS,
                "-Dmillrace.kafka.bootstrap-servers=" + Stack.kafka().bootstrapServers()));
        command.addAll(List.of(settings));
        command.addAll(List.of(
                "-jar", Path.of("target", "quarkus-app", "quarkus-run.jar").toString()));
        return new ServiceProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    /**
     * Waits until it says that it is ready; until then it has to name its trouble.
     *
     * @return its address, {@code http://host:port}
     */
    public String awaitReady() throws IOException, InterruptedException {
        final String root = awaitListening();
        final long until = System.nanoTime() + TestLog.PATIENCE.toNanos();
        HttpResponse<String> ready = get(root + "/q/health/ready");
        while (ready.statusCode() != 200 && System.nanoTime() < until) {
            assertThat(ready.body()).contains("\"trouble\"");
            Thread.sleep(200);
            ready = get(root + "/q/health/ready");
        }
        assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
        return root;
    }

    /**
     * Waits until it can be talked to.
     *
     * @return its address, {@code http://host:port}
     */
    public String awaitListening() throws IOException {
        // Not closed here: the process ends the stream, and closing it under its reader would be an error of the test.
        final BufferedReader output = process.inputReader();
        final String root = address(output);
        // Nobody may fill the pipe.
        Thread.ofPlatform().daemon().start(() -> output.lines().forEach(line -> {}));
        return root;
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

    /** The text under {@code /q/metrics}. */
    public static String metrics(final String root) throws IOException, InterruptedException {
        return get(root + "/q/metrics").body();
    }

    private static HttpResponse<String> get(final String address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Tells it to end, and waits. */
    public void awaitEndWhenTold() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("it ends when told")
                .isTrue();
    }

    /** Kills it, as the kernel or an operator would; returns when it is gone. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits until it gives up by itself, and returns what it said. */
    public String awaitFailure() throws IOException, InterruptedException {
        // One that goes on instead would keep its output open, and this test waiting, for ever.
        final Thread patience = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(TestLog.PATIENCE);
                process.destroyForcibly();
            } catch (final InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        });
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        patience.interrupt();
        assertThat(process.waitFor()).as(output).isNotZero();
        return output;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
