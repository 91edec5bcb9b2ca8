package io.millrace.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events of jobs. Reconnects after the last event if the connection breaks. */
public final class EventStream {

    private static final long PAUSE_MS = 1_000;
    private static final int TRIES = 30;

    private final ApiClient api;
    private @Nullable String last;

    public EventStream(final ApiClient api) {
        this.api = api;
    }

    /** Handles events. The result false ends the stream. */
    public interface Listener {
        boolean onEvent(JsonNode event) throws CommandException;

        /** Called when the stream has opened and at each keep-alive comment. */
        default boolean onIdle() throws CommandException {
            return true;
        }
    }

    public void follow(final Listener listener) throws CommandException {
        int failures = 0;
        while (true) {
            try (BufferedReader lines = api.follow("/events", last)) {
                failures = 0;
                if (!listener.onIdle() || !read(lines, listener)) {
                    return;
                }
            } catch (IOException e) {
                failures++; // The connection broke; it is opened again below.
            } catch (CommandException e) {
                if (e.exitCode() != ExitCode.UNREACHABLE || ++failures > TRIES) {
                    throw e;
                }
            }
            pause();
        }
    }

    private boolean read(final BufferedReader lines, final Listener listener) throws IOException, CommandException {
        final StringBuilder data = new StringBuilder();
        @Nullable String id = null;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.isEmpty()) {
                if (!data.isEmpty() && !listener.onEvent(Json.read(data.toString()))) {
                    return false;
                }
                last = id != null ? id : last;
                data.setLength(0);
            } else if (line.startsWith("data:")) {
                data.append(line.substring("data:".length()).strip()).append('\n');
            } else if (line.startsWith(":") && !listener.onIdle()) {
                return false;
            } else if (line.startsWith("id:")) {
                id = line.substring("id:".length()).strip();
            }
        }
        return true;
    }

    private static void pause() throws CommandException {
        try {
            Thread.sleep(PAUSE_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted");
        }
    }
}
