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
 * The end of one file that grows. Where it stands is told by bytes, never by times: clocks may differ. A file that was rotated, cut off or
 * replaced tells by that alone, and is followed from its end on: whoever is told looks at everything anyway.
 */
final class EventFileTail {

    /** More than this at once is told without being read. */
    private static final int MOST_BYTES = 256 * 1024;

    private final EventFile file;
    private @Nullable Path path;
    private @Nullable Object identity;
    private long read;

    EventFileTail(final EventFile file) {
        this.file = file;
    }

    EventFile file() {
        return file;
    }

    /**
     * Whether something was written since that may mean a change. What is there when it is asked for the first time is no news.
     *
     * @throws IOException if it cannot be read
     */
    boolean hasNewEvents(final Instant now) throws IOException {
        final Path current = file.at().apply(now);
        final BasicFileAttributes found;
        try {
            found = Files.readAttributes(current, BasicFileAttributes.class);
        } catch (final NoSuchFileException e) {
            requireFolder(current);
            return isMovedTo(current, null, 0);
        }
        if (isMovedTo(current, found.fileKey(), found.size())) {
            return true;
        }
        return found.size() > read && growth(current, found.size());
    }

    /** The file may be between two lives, or have no line yet; without its folder there will never be one. */
    private static void requireFolder(final Path current) throws IOException {
        final Path folder = current.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new NoSuchFileException(folder.toString(), null, "there is no such folder");
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

    /** Only whole lines count as read: the rest of a half one will come. */
    private boolean growth(final Path current, final long size) throws IOException {
        if (size - read > MOST_BYTES) {
            read = size;
            return true;
        }
        final String fresh = bytes(current, (int) (size - read));
        final int end = fresh.lastIndexOf('\n') + 1;
        read += end;
        return fresh.substring(0, end).lines().anyMatch(file.tells());
    }

    /** One character for each byte: only the beginnings of lines matter. */
    private String bytes(final Path current, final int length) throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocate(length);
        try (FileChannel channel = FileChannel.open(current)) {
            channel.position(read);
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                // The file may have been cut off meanwhile: then there is less.
            }
        }
        return new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
    }
}
