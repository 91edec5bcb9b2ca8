package io.millrace.agent.observe;

import io.millrace.agent.wlm.EventFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Follows the end of one growing file. Growth is detected by size, not by time, because clocks may differ. A rotated, truncated or replaced
 * file counts as an event and is followed from its end: the poll that follows sees everything.
 */
final class EventFileTail {

    /** More new bytes than this count as an event without being read. */
    private static final int MAX_BYTES = 256 * 1024;

    private final EventFile file;
    private @Nullable Path path;
    private @Nullable Object identity;
    private long read;
    private boolean isMissing;

    EventFileTail(final EventFile file) {
        this.file = file;
    }

    EventFile file() {
        return file;
    }

    /** Whether there was no file at the last call of {@link #hasNewEvents}: it was rotated, or nothing was ever written to it. */
    boolean isMissing() {
        return isMissing;
    }

    /**
     * Whether lines were added that may mean a change. The content at the first call does not count.
     *
     * @throws IOException if it cannot be read
     */
    boolean hasNewEvents(final Instant now) throws IOException {
        final Path current = file.at().apply(now);
        final BasicFileAttributes found;
        try {
            found = Files.readAttributes(current, BasicFileAttributes.class);
            isMissing = false;
        } catch (final NoSuchFileException e) {
            isMissing = true;
            requireFolder(current);
            return isMovedTo(current, null, 0);
        }
        if (isMovedTo(current, found.fileKey(), found.size())) {
            return true;
        }
        return found.size() > read && growth(current, found.size());
    }

    /** The file may be missing until the next event; a missing folder is an error. */
    private static void requireFolder(final Path current) throws IOException {
        final Path folder = current.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString(), null, "folder not found");
        }
    }

    private boolean isMovedTo(final Path current, final @Nullable Object key, final long size) {
        final boolean first = path == null;
        final boolean moved = !current.equals(path) || !Objects.equals(key, identity) || size < read;
        path = current;
        identity = key;
        if (moved) {
            read = size;
        }
        return moved && !first;
    }

    /** Only complete lines are consumed; the rest of a line comes later. */
    private boolean growth(final Path current, final long size) throws IOException {
        if (size - read > MAX_BYTES) {
            read = size;
            return true;
        }
        final String fresh = bytes(current, (int) (size - read));
        final int end = fresh.lastIndexOf('\n') + 1;
        read += end;
        return fresh.substring(0, end).lines().anyMatch(file.isEvent());
    }

    /** Decodes one character per byte; only the beginnings of lines matter. */
    private String bytes(final Path current, final int length) throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocate(length);
        try (FileChannel channel = FileChannel.open(current)) {
            channel.position(read);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // The file may have been truncated since its size was read.
            }
        }
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
    }
}
