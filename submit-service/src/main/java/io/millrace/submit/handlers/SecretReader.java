package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.HandlerTarget.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;

/** Fetches secrets where they lie; each time anew, so that one can be changed without a restart. */
final class SecretReader {

    private SecretReader() {}

    /**
     * All of them, in their order; at least one.
     *
     * @throws IllegalArgumentException if there is none; names the place, never what stands there
     */
    static List<WebhookSecret> read(final Secret secret) {
        final String place = place(secret);
        final List<String> lines = lines(secret).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (lines.isEmpty()) {
            throw new IllegalArgumentException(place + " holds no secret");
        }
        try {
            return lines.stream().map(WebhookSecret::of).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
        }
    }

    /** What an operator should know of where it lies; empty: nothing. */
    static Optional<String> warning(final Secret secret) {
        try {
            return secret instanceof Secret.InFile(Path file)
                            && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)
                    ? Optional.of("secret file " + file + " can be read by everybody here: chmod 600 it")
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty(); // whether it can be read at all is told by reading it
        }
    }

    private static String place(final Secret secret) {
        return switch (secret) {
            case Secret.InFile in -> "secret file " + in.file();
            case Secret.InVariable in -> "environment variable " + in.name();
        };
    }

    private static List<String> lines(final Secret secret) {
        return switch (secret) {
            case Secret.InFile in -> lines(in.file());
            case Secret.InVariable in -> {
                final String value = System.getenv(in.name());
                yield value == null ? List.of() : value.lines().toList();
            }
        };
    }

    private static List<String> lines(final Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalArgumentException("secret file " + file + " cannot be read: " + e, e);
        }
    }
}
