package io.millrace.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A broker as a separate process, which can be killed. It ends with the test at the latest. */
final class BrokerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    BrokerProcess(List<String> arguments) throws IOException {
        List<String> java = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx144m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EmbeddedKafka.class.getName(),
                "--with-parent");
        process = new ProcessBuilder(
                        Stream.concat(java.stream(), arguments.stream()).toList())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        output = process.inputReader();
    }

    /** Waits until the broker accepts clients, and returns its address. */
    String address() {
        String ready = output.lines()
                .filter(line -> line.startsWith("ready "))
                .findFirst()
                .orElseThrow();
        return ready.substring(ready.lastIndexOf(' ') + 1);
    }

    /** Suspends the broker, as a machine without free processors does. */
    void suspend(Duration time) throws IOException, InterruptedException {
        signal("STOP");
        Thread.sleep(time);
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Kills the broker with SIGKILL. */
    @Override
    public void close() throws InterruptedException, IOException {
        process.destroyForcibly().waitFor();
        output.close();
    }
}
