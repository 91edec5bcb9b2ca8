package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.UrlComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select jobs by their properties. */
final class JobSelection {

    private static final int PAGE = 500;
    private static final List<String> STATES =
            List.of("Waiting", "Uploading", "Making", "Submitted", "Downloading", "End", "Aborted", "Stopped");

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "only jobs of this user; other users: operators only")
    @Nullable
    String user;

    @Option(
            names = {"-J", "--name"},
            paramLabel = "NAME",
            description = "only jobs with this name")
    @Nullable
    String name;

    @Option(
            names = {"-s", "--state"},
            paramLabel = "STATE",
            split = ",",
            description = "only jobs in these states: waiting, held, queued, running, suspended, uploading, making,"
                    + " submitted, downloading, succeeded, failed, end, aborted, stopped; active or final for several")
    @Nullable
    List<String> states;

    @Option(
            names = {"-c", "--cluster"},
            paramLabel = "CLUSTER",
            description = "only jobs on this cluster")
    @Nullable
    String cluster;

    @Option(
            names = {"-A", "--project"},
            paramLabel = "PROJECT",
            description = "only jobs of this project")
    @Nullable
    String project;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "only jobs that had not ended before this day (2026-11-01, in the time zone of the site) or"
                    + " time (2026-11-01T08:00:00+01:00)")
    @Nullable
    String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            description = "only jobs submitted by the end of this day or before this time; with only final states: jobs"
                    + " that ended by then")
    @Nullable
    String to;

    @Option(names = "--batch", paramLabel = "BATCH", description = "only jobs of the batch with this number or id")
    @Nullable
    String batch;

    static JobSelection ofBatch(final String batch) {
        final JobSelection selection = new JobSelection();
        selection.batch = batch;
        return selection;
    }

    boolean isEmpty() {
        return user == null
                && batch == null
                && name == null
                && states == null
                && cluster == null
                && project == null
                && from == null
                && to == null;
    }

    /** The selected jobs, oldest first. */
    List<JsonNode> jobs(final ApiClient api, final boolean finished) throws CommandException {
        return jobs(api, finished, "");
    }

    /** The selected jobs, oldest first, with the jobs of a batch as one. */
    List<JsonNode> collapsed(final ApiClient api, final boolean finished) throws CommandException {
        return jobs(api, finished, "&collapse=true");
    }

    private List<JsonNode> jobs(final ApiClient api, final boolean finished, final String more)
            throws CommandException {
        final List<JsonNode> jobs = new ArrayList<>();
        @Nullable String next = null;
        do {
            final JsonNode page =
                    api.get("/jobs?limit=" + PAGE + query(finished) + more + (next == null ? "" : "&after=" + next));
            page.path("jobs").forEach(jobs::add);
            next = page.path("next").textValue();
        } while (next != null);
        return jobs.reversed();
    }

    JsonNode counts(final ApiClient api, final boolean finished) throws CommandException {
        final String query = query(finished);
        return api.get("/jobs/counts" + (query.isEmpty() ? "" : "?" + query.substring(1)))
                .path("counts");
    }

    /** @param finished whether to include finished jobs if no states are given */
    private String query(final boolean finished) {
        final StringBuilder query = new StringBuilder();
        if (states != null) {
            states.forEach(state -> add(query, "state", state(state)));
        } else if (!finished) {
            add(query, "state", "active");
        }
        add(query, "batch", batch);
        add(query, "user", user);
        add(query, "name", name);
        add(query, "cluster", cluster);
        add(query, "project", project);
        add(query, "from", from);
        add(query, "to", to);
        return query.toString();
    }

    /** The name of a state in the API. Users write it in any case. */
    private static String state(final String word) {
        for (final String state : STATES) {
            if (state.equalsIgnoreCase(word)) {
                return state;
            }
        }
        return word.toLowerCase(Locale.ROOT);
    }

    private static void add(final StringBuilder query, final String name, final @Nullable String value) {
        if (value != null) {
            query.append('&').append(name).append('=').append(UrlComponent.encode(value));
        }
    }
}
