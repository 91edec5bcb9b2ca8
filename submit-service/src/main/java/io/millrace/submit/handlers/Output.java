package io.millrace.submit.handlers;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** What a program says: its beginning is kept, the rest is read and counted, so that no program waits for a reader. */
final class Output {

    /** Bytes of output that are kept. */
    static final int KEPT = 4096;

    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final Thread reader;
    private long dropped;

    Output(final InputStream stream) {
        reader = Thread.ofPlatform().daemon().start(() -> read(stream));
    }

    private void read(final InputStream stream) {
        final byte[] part = new byte[8192];
        try (stream) {
            for (int n = stream.read(part); n >= 0; n = stream.read(part)) {
                final int room = Math.min(n, KEPT - kept.size());
                kept.write(part, 0, room);
                dropped += n - room;
            }
        } catch (IOException e) {
            // the program was ended while it spoke; what it had said is there
            dropped = Math.max(dropped, 0);
        }
    }

    /** All of it, once the program and its descendants are gone; without control characters but line ends. */
    String told() throws InterruptedException {
        reader.join();
        final String text = kept.toString(StandardCharsets.UTF_8).strip().replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
        return dropped == 0 ? text : text + "\n… and " + dropped + " bytes more";
    }
}
