package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events of jobs; a connection that breaks is taken up again where it was. */
final class Follower {

    private static final long PAUSE_MS = 1_000;
    private static final int TRIES = 30;

    private final Api api;
    private @Nullable String last;

    Follower(final Api api) {
        this.api = api;
    }

    /** What to do with an event; false ends the following. */
    interface Listener {
        boolean on(JsonNode event) throws Failure;

        /** The stream is open, or has said for a while no more than that it is alive. */
        default boolean quiet() throws Failure {
            return true;
        }
    }

    void follow(final Listener listener) throws Failure {
        int failures = 0;
        while (true) {
            try (BufferedReader lines = api.follow("/events", last)) {
                failures = 0;
                if (!listener.quiet() || !read(lines, listener)) {
                    return;
                }
            } catch (IOException e) {
                failures++; // the connection broke; it is opened again below
            } catch (Failure e) {
                if (e.exit() != Exit.UNREACHABLE || ++failures > TRIES) {
                    throw e;
                }
            }
            pause();
        }
    }

    private boolean read(final BufferedReader lines, final Listener listener) throws IOException, Failure {
        final StringBuilder data = new StringBuilder();
        @Nullable String id = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (!data.isEmpty() && !listener.on(Json.read(data.toString()))) {
                    return false;
                }
                last = id != null ? id : last;
                data.setLength(0);
            } else if (line.startsWith("data:")) {
                data.append(line.substring("data:".length()).strip()).append('\n');
            } else if (line.startsWith(":") && !listener.quiet()) {
                return false;
            } else if (line.startsWith("id:")) {
                id = line.substring("id:".length()).strip();
            }
        }
        return true;
    }

    private static void pause() throws Failure {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Exit.FAILED, "interrupted");
        }
    }
}
