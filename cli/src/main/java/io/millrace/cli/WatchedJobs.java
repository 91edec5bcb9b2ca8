package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.EventStream;
import io.millrace.cli.api.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Follows the changes of all unfinished jobs, or of the given jobs until they have finished. */
final class WatchedJobs implements EventStream.Listener {

    /** Shows a change. */
    interface Display {
        /** @param jobs the latest state of each watched job */
        void show(JsonNode event, List<JsonNode> jobs);
    }

    private final ApiClient api;
    private final boolean given;
    private final Display display;
    private final Map<String, JsonNode> jobs = new LinkedHashMap<>();

    /** @param given the jobs to watch; empty: all */
    WatchedJobs(final ApiClient api, final List<JsonNode> given, final Display display) {
        this.api = api;
        this.given = !given.isEmpty();
        this.display = display;
        given.forEach(this::show);
    }

    void follow() throws CommandException {
        if (isOpen()) {
            new EventStream(api).follow(this);
        }
    }

    @Override
    public boolean onEvent(final JsonNode event) {
        final JsonNode job = event.path("job");
        final JsonNode before = jobs.get(job.path("id").asText());
        if (!job.equals(before) && (!given || before != null)) {
            jobs.put(job.path("id").asText(), job);
            display.show(event, List.copyOf(jobs.values()));
        }
        return isOpen();
    }

    /** A new stream omits finished jobs, so the given ones are queried. */
    @Override
    public boolean onIdle() throws CommandException {
        if (given) {
            for (final JsonNode job : List.copyOf(jobs.values())) {
                if (!job.path("finished").asBoolean()) {
                    show(api.get("/jobs/" + job.path("id").asText()));
                }
            }
        }
        return isOpen();
    }

    private void show(final JsonNode job) {
        if (!job.equals(jobs.put(job.path("id").asText(), job))) {
            display.show(Json.object().set("job", job), List.copyOf(jobs.values()));
        }
    }

    private boolean isOpen() {
        return !System.out.checkError()
                && !(given
                        && jobs.values().stream()
                                .allMatch(job -> job.path("finished").asBoolean()));
    }
}
