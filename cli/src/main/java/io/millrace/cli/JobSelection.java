package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.TimeSpan;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobStatus;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select jobs by their properties. */
public final class JobSelection {

    private static final int PAGE = 500;

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
            completionCandidates = States.class,
            description = "only jobs in these states: ${COMPLETION-CANDIDATES} (active and final: several)")
    @Nullable
    List<String> states;

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            split = ",",
            completionCandidates = Stages.class,
            description = "only jobs in these stages: ${COMPLETION-CANDIDATES}")
    @Nullable
    List<String> stages;

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
            converter = TimeSpan.Converter.class,
            description = "only jobs that had not ended before this day or time: " + TimeSpan.FORMS)
    @Nullable
    TimeSpan from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            converter = TimeSpan.Converter.class,
            description = "only jobs submitted by the end of this day or before this time; with only final states: jobs"
                    + " that ended by then")
    @Nullable
    TimeSpan to;

    @Option(names = "--batch", paramLabel = "BATCH", description = "only jobs of the batch with this number or id")
    @Nullable
    String batch;

    /** The words that select states. */
    static final class States implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return JobStatus.FILTERS.iterator();
        }
    }

    /** The names of stages. */
    static final class Stages implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return GlobalJobState.WORDS.iterator();
        }
    }

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
                && stages == null
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
        return jobs(api, query(finished) + more);
    }

    /**
     * The jobs of all pages, oldest first.
     *
     * @param query parameters, each with an ampersand before it
     */
    public static List<JsonNode> jobs(final ApiClient api, final String query) throws CommandException {
        final List<JsonNode> jobs = new ArrayList<>();
        @Nullable String next = null;
        do {
            final JsonNode page = api.get("/jobs?limit=" + PAGE + query + (next == null ? "" : "&after=" + next));
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
            states.forEach(state -> add(query, "state", state));
        } else if (!finished && stages == null) {
            add(query, "state", "active");
        }
        if (stages != null) {
            stages.forEach(stage -> add(query, "stage", stage));
        }
        add(query, "batch", batch);
        add(query, "user", user);
        add(query, "name", name);
        add(query, "cluster", cluster);
        add(query, "project", project);
        add(query, "from", from == null ? null : from.from().toString());
        add(query, "to", to == null ? null : to.until().toString());
        return query.toString();
    }

    private static void add(final StringBuilder query, final String name, final @Nullable String value) {
        if (value != null) {
            query.append('&').append(name).append('=').append(UrlComponent.encode(value));
        }
    }
}
