package io.millrace.story;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs the commands that a user would type. Arguments are passed as a list, without a shell. */
public final class Shell {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    private Shell() {}

    /** Exit code and output of a command. */
    public record Answer(List<String> command, int exit, String out, String err) {

        /** The standard output without the last line break. A failed command ends the scenario with its output. */
        public String orThrow() {
            if (exit != 0) {
                throw new IllegalStateException(
                        String.join(" ", command) + " ended with " + exit + ": " + err.strip() + " " + out.strip());
            }
            return out.strip();
        }
    }

    public static Answer run(final List<String> command, final Path directory, final Map<String, String> environment) {
        try {
            final Path err = Files.createTempFile("millrace-story", ".err");
            final Path out = Files.createTempFile("millrace-story", ".out");
            try {
                final ProcessBuilder builder = new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectInput(ProcessBuilder.Redirect.from(
                                Path.of("/dev/null").toFile()))
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
                builder.environment().putAll(environment);
                final Process process = builder.start();
                if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new IllegalStateException(String.join(" ", command) + " did not end within " + LIMIT);
                }
                return new Answer(
                        command,
                        process.exitValue(),
                        Files.readString(out, StandardCharsets.UTF_8),
                        Files.readString(err, StandardCharsets.UTF_8));
            } finally {
                Files.delete(out);
                Files.delete(err);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot run " + command, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + command, e);
        }
    }
}
