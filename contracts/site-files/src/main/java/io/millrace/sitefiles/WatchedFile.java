package io.millrace.sitefiles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The content of a file that may change at any time. While the file cannot be read, the last valid version stays in use and
 * {@link #problem} describes the error.
 */
public final class WatchedFile<T> {

    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

    private final String name;
    private final Path file;
    private final Function<String, T> parser;
    private volatile @Nullable T content;
    private volatile @Nullable String problem;
    private @Nullable Version read;

    private record Version(
            FileTime changed, long size, @Nullable Object inode) {}

    /**
     * Reads the file for the first time.
     *
     * @param kind what messages call the file, e.g. {@code site mapping file}
     * @param parser throws IllegalArgumentException if the text has an error
     * @throws IllegalStateException if the file cannot be read or understood
     */
    public WatchedFile(final String kind, final Path file, final Function<String, T> parser) {
        this.name = kind + " " + file;
        this.file = file;
        this.parser = parser;
        refresh();
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
    }

    /** Reads the file again if it has changed. */
    public synchronized void refresh() {
        try {
            final var found = Files.readAttributes(file, BasicFileAttributes.class);
            final Version now = new Version(found.lastModifiedTime(), found.size(), found.fileKey());
            if (now.equals(read)) {
                return;
            }
            final String text = OwnText.read(name, file);
            read = now;
            content = parser.apply(text);
            problem = null;
            LOG.atInfo().log("read the {}", name);
        } catch (final IOException | UncheckedIOException e) {
            report(name + " cannot be read (" + e + ")");
        } catch (final IllegalArgumentException e) {
            report(String.valueOf(e.getMessage()));
        }
    }

    private void report(final String reason) {
        if (!reason.equals(problem)) {
            LOG.error("{}; the last valid version stays in use", reason);
        }
        problem = reason;
    }

    /** The last valid version. */
    public T content() {
        final T known = content;
        if (known == null) {
            throw new IllegalStateException(name + " has not been read");
        }
        return known;
    }

    /** What is wrong with the file; null if it is valid. */
    public @Nullable String problem() {
        return problem;
    }
}
