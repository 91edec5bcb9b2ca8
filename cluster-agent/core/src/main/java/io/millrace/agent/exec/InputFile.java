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
 * A private temporary file with the complete input of a program. It is written before the program starts, so that the program never reads
 * partial input if the agent is killed. It is deleted right after the start; files of killed agents are removed when an agent starts.
 */
public final class InputFile {

    private static final Logger LOG = LoggerFactory.getLogger(InputFile.class);
    private static final String PREFIX = "millrace-input-";

    /** Younger files may belong to another agent on the same host. */
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

    /** Removes files that killed agents left behind, because they may contain scripts of users. */
    public static void removeLeftBehind(final Account own, final Instant now) {
        removeLeftBehind(Path.of(System.getProperty("java.io.tmpdir")), own, now);
    }

    static void removeLeftBehind(final Path folder, final Account own, final Instant now) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, PREFIX + "*")) {
            for (final Path file : files) {
                if (isLeftBehind(file, own, now)) {
                    Files.deleteIfExists(file);
                    LOG.info("removed {}, left behind by a killed agent", file);
                }
            }
        } catch (final IOException e) {
            LOG.warn("cannot remove files that killed agents left behind in {}: {}", folder, e.toString());
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
