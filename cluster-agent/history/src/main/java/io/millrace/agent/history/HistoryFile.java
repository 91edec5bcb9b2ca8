package io.millrace.agent.history;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.millrace.log.ModelJson;
import io.millrace.model.cluster.RunEnded;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** The history: one ended run per line, as JSON. A run is added once; a line that a crash cut off is removed. */
final class HistoryFile implements Closeable {

    private static final int BUFFER = 1 << 16;

    private final FileChannel channel;
    private final RunIndex index;
    private final OutputStream out;
    private final ObjectWriter writer =
            ModelJson.lenient().writerFor(RunEnded.class).without(JsonGenerator.Feature.AUTO_CLOSE_TARGET);

    private HistoryFile(final FileChannel channel, final RunIndex index) {
        this.channel = channel;
        this.index = index;
        this.out = new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER);
    }

    /** @throws IOException if the file cannot be written, is in use, or contains anything else */
    static HistoryFile open(final Path path) throws IOException {
        final FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            lock(path, channel);
            channel.truncate(endOfLastLine(channel));
            channel.position(channel.size());
            final Path folder = Objects.requireNonNull(path.toAbsolutePath().getParent(), "a file is in a folder");
            final RunIndex index = new RunIndex(folder);
            fill(index, path);
            return new HistoryFile(channel, index);
        } catch (final IOException e) {
            channel.close();
            throw e;
        }
    }

    private static void lock(final Path path, final FileChannel channel) throws IOException {
        try {
            if (channel.tryLock() == null) {
                throw new IOException("another import is writing '" + path + "'");
            }
        } catch (final OverlappingFileLockException e) {
            throw new IOException("another import is writing '" + path + "'", e);
        }
    }

    private static long endOfLastLine(final FileChannel channel) throws IOException {
        final ByteBuffer one = ByteBuffer.allocate(1);
        for (long end = channel.size(); end > 0; end--) {
            channel.read(one.clear(), end - 1);
            if (one.get(0) == '\n') {
                return end;
            }
        }
        return 0;
    }

    private static void fill(final RunIndex index, final Path path) throws IOException {
        final ObjectReader reader = ModelJson.lenient().readerFor(RunEnded.class);
        try (LineSource lines = LineSource.open(path)) {
            long number = 0;
            for (String line = lines.next(); line != null; line = lines.next()) {
                number++;
                try {
                    index.add(reader.readValue(line));
                } catch (final JsonProcessingException e) {
                    throw new IOException(
                            "line " + number + " of '" + path + "' is not an ended run (" + e.getOriginalMessage()
                                    + "); correct it, or write to another file",
                            e);
                }
            }
        }
    }

    /** Adds a run. @return false if the file already contains it */
    boolean add(final RunEnded run) throws IOException {
        if (!index.add(run)) {
            return false;
        }
        writer.writeValue(out, run);
        out.write('\n');
        return true;
    }

    @Override
    public void close() throws IOException {
        try (channel) {
            out.flush();
            channel.force(true);
        }
    }
}
