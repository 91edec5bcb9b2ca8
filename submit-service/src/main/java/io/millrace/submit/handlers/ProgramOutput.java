package io.millrace.submit.handlers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/** What a program says: its beginning is kept, the rest is read and counted, so that no program waits for a reader. */
final class ProgramOutput {

    /** Bytes of output that are kept. */
    static final int KEPT = 4096;

    private static final Logger LOG = Logger.getLogger(ProgramOutput.class);

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final AtomicLong dropped = new AtomicLong();
    private final Thread reader;

    ProgramOutput(final InputStream stream) {
        reader = Thread.ofPlatform().daemon().start(() -> read(stream));
    }

    private void read(final InputStream stream) {
        final byte[] part = new byte[8192];
        try (stream) {
            for (int n = stream.read(part); n >= 0; n = stream.read(part)) {
                final int room = Math.min(n, KEPT - kept.size());
                kept.write(part, 0, room);
                dropped.addAndGet(n - room);
            }
        } catch (IOException e) {
            LOG.debugf("a program was ended while it spoke: %s", e.getMessage());
        }
    }

    /**
     * What it said, without control characters but line ends.
     *
     * @param patience for the last of it: a process that escaped its end may keep the output open for ever
     */
    String told(final Duration patience) throws InterruptedException {
        if (!reader.join(patience)) {
            LOG.warn("a process that a handler's program started has escaped its end");
        }
        final String text = kept.toString(StandardCharsets.UTF_8).strip().replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
        return dropped.get() == 0 ? text : text + "\n… and " + dropped + " bytes more";
    }
}
