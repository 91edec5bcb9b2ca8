package io.millrace.submit.handlers;

import io.millrace.model.Text;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The output of a program. The beginning is kept; the rest is read and counted, so that the program never blocks. */
final class ProgramOutput {

    /** Bytes of output that are kept. */
    static final int KEPT = 4096;

    private static final Logger LOG = LoggerFactory.getLogger(ProgramOutput.class);

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
                final int taken = Math.min(n, KEPT - kept.size());
                kept.write(part, 0, taken);
                dropped.addAndGet(n - taken);
            }
        } catch (IOException e) {
            LOG.debug("the output of a program ended early: {}", e.getMessage());
        }
    }

    /**
     * The output, with control characters except line ends replaced.
     *
     * @param timeout how long to wait for the end of the output, which a surviving process may keep open
     */
    String text(final Duration timeout) throws InterruptedException {
        if (!reader.join(timeout)) {
            LOG.warn("a process started by a handler program survived the end of the program");
        }
        final String text =
                Text.escapedLines(kept.toString(StandardCharsets.UTF_8).strip());
        return dropped.get() == 0 ? text : text + "\n… and " + dropped + " bytes more";
    }
}
