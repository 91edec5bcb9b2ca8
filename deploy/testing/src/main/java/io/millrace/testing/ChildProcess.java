package io.millrace.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A part of the stack in a separate JVM ({@link StackPart}). It ends when its standard input ends, which happens even if
 * this JVM is killed.
 */
final class ChildProcess {
    private static final String READY = "ready ";

    private ChildProcess() {}

    /** The part's address. Starts the part at first use and waits up to fifteen minutes, because images may have to be pulled. */
    static String addressOf(String part) {
        String key = "millrace.test.running." + part;
        // Quarkus loads this class once per application; the system class loader and the system properties are shared.
        synchronized (ClassLoader.getSystemClassLoader()) {
            String known = System.getProperty(key);
            if (known != null) {
                return known;
            }
            String address = start(part);
            System.setProperty(key, address);
            return address;
        }
    }

    private static String start(String part) {
        BlockingQueue<String> address = new ArrayBlockingQueue<>(1);
        try {
            Process process = new ProcessBuilder(command(part))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            // The thread also keeps the process object reachable; garbage collection would close the child's input.
            Thread reader = new Thread(() -> read(process, address), "test stack: " + part);
            reader.setDaemon(true);
            reader.start();
            String answer = address.poll(15, TimeUnit.MINUTES);
            if (answer == null || answer.isEmpty()) {
                process.destroy();
                throw new IllegalStateException(part + " did not start for the tests; its messages are above");
            }
            return answer;
        } catch (IOException failure) {
            throw new IllegalStateException("cannot start a JVM for " + part, failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + part + " was starting", interrupted);
        }
    }

    private static List<String> command(String part) {
        String surefires = System.getProperty("surefire.test.class.path");
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-cp",
                surefires != null ? surefires : System.getProperty("java.class.path"),
                StackPart.class.getName(),
                part,
                setting("stack", "auto"),
                setting("kafka.image", StackPart.KAFKA_IMAGE),
                setting("mariadb.image", StackPart.MARIADB_IMAGE));
    }

    static String setting(String name, String otherwise) {
        String key = "millrace.test." + name;
        String fromEnvironment = System.getenv(key.toUpperCase(Locale.ROOT).replace('.', '_'));
        return System.getProperty(key, fromEnvironment == null ? otherwise : fromEnvironment);
    }

    private static void read(Process process, BlockingQueue<String> address) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                pass(line, address);
            }
        } catch (IOException gone) {
            System.err.println("the test stack's process is gone: " + gone.getMessage());
        }
        address.offer("");
    }

    private static void pass(@Nullable String line, BlockingQueue<String> address) {
        if (line != null && line.startsWith(READY)) {
            address.offer(line.substring(READY.length()));
        } else {
            System.err.println(line);
        }
    }
}
