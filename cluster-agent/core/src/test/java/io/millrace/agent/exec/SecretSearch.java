package io.millrace.agent.exec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;

/**
 * Looks for a text in the command lines of all processes of the host, which every user can read, and in the environments of processes that belong
 * to neither root nor the user who may know the text; as fast as it can, until it is stopped. Root sees all environments.
 */
public final class SecretSearch {

    private final String secret;
    private final int uid;
    private final Set<String> found = new ConcurrentSkipListSet<>();
    private final Thread reader;
    private volatile boolean over;

    private SecretSearch(final String secret, final int uid) {
        this.secret = secret;
        this.uid = uid;
        reader = Thread.ofPlatform().start(() -> {
            do {
                look();
            } while (!over);
        });
    }

    /** @param uid of the user who may know the secret */
    public static SecretSearch start(final String secret, final int uid) {
        return new SecretSearch(secret, uid);
    }

    /** Stops after at least one look at all processes; returns where the secret was. */
    public Set<String> stop() throws InterruptedException {
        over = true;
        reader.join();
        return found;
    }

    private void look() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            processes
                    .filter(path ->
                            Character.isDigit(path.getFileName().toString().charAt(0)))
                    .forEach(this::look);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void look(final Path process) {
        final String commandLine = text(process.resolve("cmdline"));
        if (commandLine.contains(secret)) {
            found.add("command line: " + commandLine);
        }
        if (text(process.resolve("environ")).contains(secret) && isForeign(process)) {
            found.add("environment of: " + commandLine);
        }
    }

    private boolean isForeign(final Path process) {
        try {
            final int owner = (int) Files.getAttribute(process.resolve("environ"), "unix:uid");
            return owner != 0 && owner != uid;
        } catch (final IOException e) {
            return false; // it has ended
        }
    }

    private static String text(final Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).replace('\0', ' ');
        } catch (final IOException e) {
            return ""; // it has ended
        }
    }
}
