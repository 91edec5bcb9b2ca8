package io.millrace.submit.handlers;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.submit.domain.usage.SwfNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The position of usage record files; content beyond the recorded lengths is invalid.
 *
 * @param next by name of the Kafka topic, the next offset; a number: a partition of an earlier release, when clusters shared a topic
 * @param files by name
 * @param names numbered names in SWF
 */
record UsagePosition(Map<String, Long> next, Map<String, Written> files, Map<SwfNames.Kind, List<String>> names) {

    static final UsagePosition BEGINNING = new UsagePosition(Map.of(), Map.of(), Map.of());

    private static final String NAME = ".position.json";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * One file.
     *
     * @param bytes length
     * @param lines number of runs
     * @param named by kind, how many names its comments define
     */
    record Written(long bytes, long lines, Map<SwfNames.Kind, Integer> named) {
        static final Written NOTHING = new Written(0, 0, Map.of());
    }

    static boolean isIn(final Path folder) {
        return Files.exists(folder.resolve(NAME));
    }

    static UsagePosition read(final Path folder) throws IOException {
        return JSON.readValue(folder.resolve(NAME).toFile(), UsagePosition.class);
    }

    /** Replaces the file atomically and returns after it is on disk. */
    void write(final Path folder) throws IOException {
        final Path draft = folder.resolve(NAME + ".new");
        try (FileChannel file = FileChannel.open(
                draft,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING),
                PosixFilePermissions.asFileAttribute(UsageFolder.PERMISSIONS))) {
            final ByteBuffer text = ByteBuffer.wrap(JSON.writeValueAsBytes(this));
            while (text.hasRemaining()) {
                file.write(text);
            }
            file.force(true);
        }
        Files.move(draft, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }
}
