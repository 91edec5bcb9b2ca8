package io.millrace.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The processor time that this JVM and all processes started by it have used, from {@code /proc} (proc(5)). */
final class ProcessorTime {
    private static final double TICKS_PER_SECOND = 100; // USER_HZ
    private static final int USER_TIME = 11; // index after the name; then system time, and both of the ended children

    private ProcessorTime() {}

    static double seconds() {
        final ProcessHandle self = ProcessHandle.current();
        return Stream.concat(Stream.of(self), self.descendants())
                        .mapToLong(process -> ticks(process.pid()))
                        .sum()
                / TICKS_PER_SECOND;
    }

    private static long ticks(final long pid) {
        try {
            final String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
            final String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return Stream.of(fields)
                    .skip(USER_TIME)
                    .limit(4)
                    .mapToLong(Long::parseLong)
                    .sum();
        } catch (final IOException ended) {
            return 0;
        }
    }
}
