package io.millrace.agent.history;

import io.millrace.model.cluster.RunEnded;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The runs that a history file contains: a hash table of 64-bit digests in a temporary mapped file, so that the heap does not grow with
 * the history. Two different runs among ten million have the same digest with a probability of about 3 in a million.
 */
final class RunIndex {

    private static final int SMALLEST = 1 << 16;
    private static final long LARGEST = 1L << 27; // a mapping is limited to 2 GiB

    private final Path folder;
    private final MessageDigest digest;
    private LongBuffer slots;
    private long used;

    RunIndex(final Path folder) throws IOException {
        this.folder = folder;
        this.slots = map(SMALLEST);
        try {
            this.digest = MessageDigest.getInstance("MD5"); // distribution, not security
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java platform has it
        }
    }

    /** Adds a run. @return false if the index already contains it */
    boolean add(final RunEnded run) throws IOException {
        if (used * 2 >= slots.capacity()) {
            grow();
        }
        final boolean added = put(slots, key(run));
        used += added ? 1 : 0;
        return added;
    }

    /** The job key, and the start, because a requeued job has several runs. Never 0, which marks a free slot. */
    private long key(final RunEnded run) {
        final byte[] identity = (run.job() + " " + run.startedAt()).getBytes(StandardCharsets.UTF_8);
        final long key = ByteBuffer.wrap(digest.digest(identity)).getLong();
        return key == 0 ? 1 : key;
    }

    private static boolean put(final LongBuffer slots, final long key) {
        final int mask = slots.capacity() - 1;
        int at = (int) key & mask;
        for (long found = slots.get(at); found != 0; found = slots.get(at)) {
            if (found == key) {
                return false;
            }
            at = at + 1 & mask;
        }
        slots.put(at, key);
        return true;
    }

    private void grow() throws IOException {
        if (slots.capacity() >= LARGEST) {
            throw new IOException(
                    "the history has " + used + " runs, more than fit into one file; import into another file");
        }
        final LongBuffer larger = map(slots.capacity() * 2);
        for (int i = 0; i < slots.capacity(); i++) {
            if (slots.get(i) != 0) {
                put(larger, slots.get(i));
            }
        }
        slots = larger;
    }

    private LongBuffer map(final int capacity) throws IOException {
        final Path file = Files.createTempFile(folder, ".history-index-", "");
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) capacity * Long.BYTES)
                    .asLongBuffer();
        }
    }
}
