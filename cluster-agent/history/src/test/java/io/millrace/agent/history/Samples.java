package io.millrace.agent.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** The samples of accounting files among the test resources. */
final class Samples {

    private Samples() {}

    static String text(final AccountingFormat format) {
        final String name = "/accounting/" + format + ".txt";
        try (InputStream in = Samples.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no sample " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
