package io.millrace.agent.history;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a text file, compressed with gzip or not. A line that exceeds the limit is not kept in memory. */
final class LineSource implements Closeable {

    private static final int LONGEST = 1 << 20;
    private static final int BUFFER = 1 << 16;

    private final SeekableByteChannel file;
    private final InputStream text;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean tooLong;

    private LineSource(final SeekableByteChannel file, final InputStream text) {
        this.file = file;
        this.text = text;
    }

    static LineSource open(final Path path) throws IOException {
        final SeekableByteChannel file = Files.newByteChannel(path);
        final InputStream raw = new BufferedInputStream(Channels.newInputStream(file), BUFFER);
        raw.mark(2);
        final boolean gzip = raw.read() == 0x1f && raw.read() == 0x8b;
        raw.reset();
        return new LineSource(file, gzip ? new BufferedInputStream(new GZIPInputStream(raw, BUFFER), BUFFER) : raw);
    }

    /** The next line without its end; null at the end of the file. Bytes that are not UTF-8 are replaced. */
    @Nullable
    String next() throws IOException {
        line.reset();
        tooLong = false;
        int next = text.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = text.read()) {
            if (line.size() < LONGEST) {
                line.write(next);
            } else {
                tooLong = true;
            }
        }
        final String read = line.toString(StandardCharsets.UTF_8);
        return read.endsWith("\r") ? read.substring(0, read.length() - 1) : read;
    }

    /** Whether the last line was cut because it exceeds the limit. */
    boolean isTooLong() {
        return tooLong;
    }

    /** The share of the file that has been read, from 0 to 1. */
    double share() throws IOException {
        return file.size() == 0 ? 1 : (double) file.position() / file.size();
    }

    @Override
    public void close() throws IOException {
        text.close();
    }
}
