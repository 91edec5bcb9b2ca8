package io.millrace.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** The arguments ({@code --name=value}) of a part of the stack that runs as a separate process. */
record Invocation(Map<String, String> options) {
    static Invocation parse(String... args) {
        return new Invocation(Arrays.stream(args)
                .map(arg -> arg.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length > 1 ? pair[1] : "")));
    }

    Path path(String name) {
        String value = options.get("--" + name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("--" + name + "=PATH is missing");
        }
        return Path.of(value);
    }

    int number(String name, int otherwise) {
        String value = options.get("--" + name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    List<String> list(String name) {
        String value = options.getOrDefault("--" + name, "");
        return value.isEmpty() ? List.of() : List.of(value.split(","));
    }

    boolean has(String name) {
        return options.containsKey("--" + name);
    }

    /**
     * Prints {@code ready <what>} and waits until the process receives SIGTERM. With {@code --with-parent} it also ends at the
     * end of standard input, which occurs even if the parent is killed.
     */
    void serve(String what, AutoCloseable part) throws IOException {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(part, stopped), "stop"));
        System.out.println("ready " + what);
        System.out.flush();
        if (has("with-parent")) {
            while (System.in.read() >= 0) {
                // The parent sends nothing; the end of the stream ends this process.
            }
            System.exit(0);
        }
        await(stopped);
    }

    private static void stop(AutoCloseable part, CountDownLatch stopped) {
        try {
            part.close();
        } catch (Exception failure) {
            System.err.println("did not stop cleanly: " + failure);
        } finally {
            stopped.countDown();
        }
    }

    private static void await(CountDownLatch stopped) {
        try {
            stopped.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
