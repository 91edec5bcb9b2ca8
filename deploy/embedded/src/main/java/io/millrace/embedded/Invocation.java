package io.millrace.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/** The arguments ({@code --name=value}) of a part of the stack that runs as a process of its own, and its waiting. */
record Invocation(Map<String, String> options) {
    static Invocation parse(String... args) {
        return new Invocation(Arrays.stream(args)
                .map(arg -> arg.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length > 1 ? pair[1] : "")));
    }

    Path folder(String name) {
        String value = options.get("--" + name);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException("--" + name + "=FOLDER is missing");
        }
        return Path.of(value);
    }

    int number(String name, int otherwise) {
        String value = options.get("--" + name);
        return value == null ? otherwise : Integer.parseInt(value);
    }

    boolean says(String name) {
        return options.containsKey("--" + name);
    }

    /**
     * Announces {@code ready <what>} and stays until the process is told to stop. With {@code --with-parent} the end of
     * standard input, which the kernel brings about however the parent dies, is such a word too.
     */
    void serve(String what, AutoCloseable part) throws IOException {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(part, stopped), "stop"));
        System.out.println("ready " + what);
        System.out.flush();
        if (says("with-parent")) {
            while (System.in.read() >= 0) {
                // Nothing is ever sent; only the end matters.
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
