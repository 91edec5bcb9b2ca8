package io.millrace.submit.handlers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What the system knows of a user, wherever it keeps its accounts. */
final class ProgramUser {

    private ProgramUser() {}

    /**
     * The number of its first group.
     *
     * @throws IllegalArgumentException if there is no such user
     */
    static String group(final String user) {
        try {
            final Process id = new ProcessBuilder("id", "-g", "--", user)
                    .redirectErrorStream(true)
                    .start();
            final String said = new String(id.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            if (id.waitFor() != 0) {
                throw new IllegalArgumentException("there is no user '" + user + "' here: " + said);
            }
            return said;
        } catch (IOException e) {
            throw new IllegalArgumentException("user '" + user + "' cannot be looked up: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while looking up user '" + user + "'", e);
        }
    }
}
