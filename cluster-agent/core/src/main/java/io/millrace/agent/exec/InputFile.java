package io.millrace.agent.exec;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The private file in which a program's input stands whole before the program begins: one whose agent is killed meanwhile never takes
 * half for all. It lives for moments; what a killed agent left behind is removed when the next one starts.
 */
public final class InputFile {

    private static final Logger LOG = LoggerFactory.getLogger(InputFile.class);
    private static final String PREFIX = "millrace-input-";

    /** A younger one may be another agent's on the same host. */
    private static final Duration LEFT_BEHIND = Duration.ofMinutes(10);

    private InputFile() {}

    static Process start(final ProcessBuilder builder, final byte[] input) throws IOException {
        final Path whole = Files.createTempFile(PREFIX, "");
        try {
            Files.write(whole, input);
            return builder.redirectInput(whole.toFile()).start();
        } finally {
            Files.delete(whole);
        }
    }

    /** Scripts of users may stand in them, so they do not stay. */
    public static void removeLeftBehind(final Account own, final Instant now) {
        removeLeftBehind(Path.of(System.getProperty("java.io.tmpdir")), own, now);
    }

    static void removeLeftBehind(final Path folder, final Account own, final Instant now) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (final Path file : files) {
                if (isLeftBehind(file, own, now)) {
                    Files.deleteIfExists(file);
                    LOG.info("removed {}, which an agent left behind that was killed", file);
                }
            }
        } catch (final IOException e) {
            LOG.warn("what killed agents left behind in {} cannot be removed: {}", folder, e.toString());
        }
    }

    private static boolean isLeftBehind(final Path file, final Account own, final Instant now) throws IOException {
        return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                && (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS) == own.uid()
                && Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                        .toInstant()
                        .isBefore(now.minus(LEFT_BEHIND));
    }
}
