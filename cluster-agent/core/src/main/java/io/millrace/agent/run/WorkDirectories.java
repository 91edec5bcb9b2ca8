package io.millrace.agent.run;

import io.millrace.agent.session.Session;
import io.millrace.model.CommandId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Folders of the sessions that execute commands, one per command id, so that they are found after a crash. */
public final class WorkDirectories {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);
    private static final int MAX_POLLS_WITHOUT_WRAPPER = 150;

    private WorkDirectories() {}

    /** The folder of this command. Ids are hashed because they may contain characters not allowed in file names. */
    public static Path of(final Path workDir, final CommandId id) {
        return of(workDir, id.value());
    }

    public static Path of(final Path workDir, final String name) {
        try {
            final byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return workDir.resolve(HexFormat.of().formatHex(digest, 0, 16));
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for the end of a session; null if it was killed with its wrapper, so that its exit is unknown. */
    public static Session.@Nullable Exit await(final Session session) throws InterruptedException {
        int without = 0;
        while (true) {
            final boolean running = session.isWrapperRunning();
            final var exit = session.exit();
            if (exit.isPresent()) {
                return exit.get();
            }
            without = running ? 0 : without + 1;
            if (without > 2 && session.hasStarted() || without > MAX_POLLS_WITHOUT_WRAPPER) {
                session.signal("KILL", true);
                return null;
            }
            Thread.sleep(POLL_INTERVAL.toMillis());
        }
    }

    public static void remove(final Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
