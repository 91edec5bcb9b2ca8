package io.millrace.submit.handlers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Looks up operating system users. */
final class ProgramUser {

    private ProgramUser() {}

    /**
     * The id of the user's primary group.
     *
     * @throws IllegalArgumentException if the user does not exist
     */
    static String group(final String user) {
        try {
            final Process id = new ProcessBuilder("id", "-g", "--", user)
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
