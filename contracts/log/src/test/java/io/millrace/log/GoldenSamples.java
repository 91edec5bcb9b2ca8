package io.millrace.log;

import io.millrace.model.protocol.EventType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The golden samples of events. */
final class GoldenSamples {

    private static final Path FOLDER = Path.of("../model/src/test/resources/golden");

    private GoldenSamples() {}

    static List<Path> files() {
        try (Stream<Path> all = Files.list(FOLDER)) {
            return all.sorted().toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A sample is named after its type, followed by the variant if there are several. */
    static EventType type(final Path file) {
        final String name = file.getFileName().toString();
        final int version = name.indexOf(".v1.") + ".v1".length();
        return EventType.named(name.substring(0, version)).orElseThrow(() -> new AssertionError("no type for " + name));
    }
}
