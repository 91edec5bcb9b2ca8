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

/** A packaged service, usually of the module under test, in a separate process on the tests' broker. */
public final class ServiceProcess implements AutoCloseable {

    private static final Pattern LISTENING = Pattern.compile(
            "Listening on: (https?://\\S+?:\\d+)" + "(?:.*Management interface listening on (https?://\\S+?:\\d+))?");

    private final Process process;
    private final StringBuffer output = new StringBuffer();
    private String health = "";
    private Thread reader = Thread.ofPlatform().unstarted(() -> {});

    private ServiceProcess(final Process process) {
        this.process = process;
    }

    /**
     * Starts {@code target/quarkus-app}; returns at once.
     *
     * @param settings system properties, {@code -Dname=value}
     * @throws IOException if the JVM cannot be started
     */
    public static ServiceProcess start(final String... settings) throws IOException {
        return start(List.of(), Path.of("target", "quarkus-app"), settings);
    }

    /**
     * Starts the packaged application of a folder; returns at once.
     *
     * @param prefix command that runs the JVM, for example with another account; empty: none
     * @param application the folder with {@code quarkus-run.jar}
     * @param settings system properties, {@code -Dname=value}
     * @throws IOException if the JVM cannot be started
     */
    public static ServiceProcess start(final List<String> prefix, final Path application, final String... settings)
            throws IOException {
        final List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx160m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=0",
                "-Dquarkus.management.port=0",
                "-Dmillrace.kafka.bootstrap-servers=" + Stack.kafka().bootstrapServers()));
        command.addAll(List.of(settings));
        command.addAll(List.of("-jar", application.resolve("quarkus-run.jar").toString()));
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // Not a property: the agent does not have this setting, and refuses unknown ones.
        builder.environment().put("MILLRACE_KAFKA_PARTITIONS", Integer.toString(TestLog.PARTITIONS));
        return new ServiceProcess(builder.start());
    }

    /**
     * Waits until the service reports that it is ready. Until then, its readiness check must name the cause.
     *
     * @return its address, {@code http://host:port}
     */
    public String awaitReady() throws IOException, InterruptedException {
        final String root = awaitListening();
        final long until = System.nanoTime() + TestLog.TIMEOUT.toNanos();
        HttpResponse<String> ready = get(health + "/q/health/ready");
        while (ready.statusCode() != 200 && System.nanoTime() < until) {
            assertThat(ready.body()).contains("\"trouble\"");
            Thread.sleep(200);
            ready = get(health + "/q/health/ready");
        }
        assertThat(ready.statusCode()).as(ready.body()).isEqualTo(200);
        return root;
    }

    /**
     * Waits until the service listens.
     *
     * @return its address, {@code http://host:port}
     */
    public String awaitListening() throws IOException {
        // Not closed here: the process ends the stream, and a daemon thread still reads it.
        final BufferedReader lines = process.inputReader();
        final String root = address(lines);
        // Drain the pipe, or the service blocks when it is full.
        reader = Thread.ofPlatform()
                .daemon()
                .start(() -> lines.lines().forEach(line -> output.append(line).append('\n')));
        return root;
    }

    /** The address of health and metrics, after {@link #awaitListening}. */
    public String management() {
        return health;
    }

    private String address(final BufferedReader lines) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line).append('\n');
            final Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                health = listening.group(2) == null ? listening.group(1) : listening.group(2);
                return listening.group(1);
            }
        }
        throw new AssertionError("the service ended before it listened:\n" + output);
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

    /** Sends SIGTERM and waits for the end; returns the output of the service, which has listened. */
    public String awaitEndWhenTold() throws InterruptedException {
        process.toHandle().destroy(); // destroy() of the process would close its output, too
        assertThat(process.waitFor(300, TimeUnit.SECONDS))
                .as("the service ends after SIGTERM")
                .isTrue();
        reader.join();
        return output.toString();
    }

    /** Kills the service with SIGKILL; returns when the process has ended. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits until the service ends by itself with a failure, and returns its output. */
    public String awaitFailure() throws IOException, InterruptedException {
        // A service that keeps running would keep its output open, and the test would never end.
        final Thread patience = Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(TestLog.TIMEOUT);
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
