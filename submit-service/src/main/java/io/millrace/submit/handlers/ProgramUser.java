package io.millrace.submit.handlers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks up operating system users. */
final class ProgramUser {

    private ProgramUser() {}

    /** The uid of this process. */
    static int own() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The uid of the user, by name or number.
     *
     * @throws IllegalArgumentException if the user does not exist
     */
    static int uid(final String user) {
        return Integer.parseInt(id("-u", user));
    }

    /**
     * The id of the user's primary group.
     *
     * @throws IllegalArgumentException if the user does not exist
     */
    static String group(final String user) {
        return id("-g", user);
    }

    private static String id(final String option, final String user) {
        try {
            final Process id = new ProcessBuilder("id", option, "--", user)
                    .redirectErrorStream(true)
                    .start();
            final String output = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (id.waitFor() != 0) {
                throw new IllegalArgumentException("user '" + user + "' not found on this machine: " + output);
            }
            return output;
        } catch (IOException e) {
            throw new IllegalArgumentException("user '" + user + "' cannot be looked up: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking up user '" + user + "'", e);
        }
    }
}
