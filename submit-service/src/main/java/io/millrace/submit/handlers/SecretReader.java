package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.HandlerTarget.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Optional;

/** Reads webhook secrets on every use, so that they can be changed without a restart. */
final class SecretReader {

    private SecretReader() {}

    /**
     * Reads all secrets in order; at least one.
     *
     * @throws IllegalArgumentException if there is no valid secret; the message names its location, never its content
     */
    static List<WebhookSecret> read(final Secret secret) {
        final String place = place(secret);
        final List<String> lines = lines(secret).stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
        if (lines.isEmpty()) {
            throw new IllegalArgumentException(place + " contains no secret");
        }
        try {
            return lines.stream().map(WebhookSecret::of).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
        }
    }

    /** A warning about the permissions of a secret file. */
    static Optional<String> warning(final Secret secret) {
        try {
            return secret instanceof Secret.InFile(Path file)
                            && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)
                    ? Optional.of("secret file " + file + " is readable by other users; run chmod 600 on it")
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty(); // reading the file reports the error
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
