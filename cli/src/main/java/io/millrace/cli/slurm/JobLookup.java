package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.JobSelection;
import io.millrace.cli.TaskRange;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.UrlComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds jobs by their numbers or by what the options of Slurm select. Numbers may have steps, such as {@code 4711.batch}. */
final class JobLookup {

    /** More jobs are read as one list. */
    private static final int ONE_BY_ONE = 8;

    private final ApiClient api;

    JobLookup(final ApiClient api) {
        this.api = api;
    }

    /** The words of repeated options with commas. */
    static List<String> words(final @Nullable List<String> values) {
        final List<String> words = new ArrayList<>();
        for (final String value : values == null ? List.<String>of() : values) {
            // a comma within brackets separates tasks
            for (final String word : value.split(",(?![^\\[]*])")) {
                if (!word.isBlank()) {
                    words.add(word.strip());
                }
            }
        }
        return words;
    }

    static List<String> numbers(final @Nullable List<String> values) throws CommandException {
        return TaskRange.expanded(words(values).stream()
                .map(id -> id.replaceFirst("\\.\\w+$", ""))
                .toList());
    }

    /** The jobs with these numbers that exist, with the tasks of a batch in its place. */
    List<JsonNode> named(final List<String> numbers) throws CommandException {
        final List<JsonNode> jobs = new ArrayList<>();
        for (final String number : numbers) {
            final JsonNode found = find(number);
            if (found == null) {
                continue;
            }
            if (found.has("counts")) {
                jobs.addAll(JobSelection.jobs(
                        api, "&batch=" + UrlComponent.encode(found.path("id").asText())));
            } else {
                jobs.add(found);
            }
        }
        return jobs;
    }

    /** As {@link #named}, without those that have ended. */
    List<JsonNode> unfinished(final List<String> numbers) throws CommandException {
        if (numbers.size() <= ONE_BY_ONE) {
            return named(numbers);
        }
        final Set<String> wanted = new HashSet<>(numbers);
        final List<JsonNode> jobs = new ArrayList<>(JobSelection.jobs(api, "&state=active"));
        jobs.removeIf(job -> !wanted.contains(job.path("number").asText())
                && !wanted.contains(job.path("number").asText().replaceFirst("_.*", "")));
        return jobs;
    }

    /** The job or batch; null if there is none. */
    @Nullable
    JsonNode find(final String number) throws CommandException {
        try {
            return api.get("/jobs/" + UrlComponent.encode(number));
        } catch (final CommandException e) {
            if (e.exitCode() == ExitCode.NOT_FOUND) {
                return null;
            }
            throw e;
        }
    }

    /** What the service can select itself: {@code names} with one word. */
    static String parameter(final String name, final List<String> words) {
        return words.size() == 1 ? "&" + name + "=" + UrlComponent.encode(words.getFirst()) : "";
    }

    /** Accepts every job if there are no words. */
    static Predicate<JsonNode> field(final String name, final List<String> words) {
        return job -> words.isEmpty() || words.contains(job.path(name).asText());
    }

    static List<SlurmJob> single(final List<JsonNode> views, final Instant now) {
        return views.stream().map(view -> new SlurmJob(view, null, now)).toList();
    }

    /** The waiting tasks of an array as one line, as squeue shows them. */
    static List<SlurmJob> collapsed(final List<JsonNode> views, final Instant now) {
        final Map<String, List<JsonNode>> arrays = new LinkedHashMap<>();
        for (final JsonNode view : views) {
            final boolean collapses = view.hasNonNull("batch") && SlurmState.of(view) == SlurmState.PENDING;
            final String key = view.path(collapses ? "batch" : "id").asText();
            arrays.computeIfAbsent(collapses ? key : key.toLowerCase(Locale.ROOT), id -> new ArrayList<>())
                    .add(view);
        }
        final List<SlurmJob> jobs = new ArrayList<>();
        arrays.values()
                .forEach(tasks ->
                        jobs.add(new SlurmJob(tasks.getFirst(), tasks.size() == 1 ? null : ranges(tasks), now)));
        return jobs;
    }

    /** {@code 1-10,12}. */
    private static String ranges(final List<JsonNode> tasks) {
        final int[] indices = tasks.stream()
                .mapToInt(task -> task.path("index").asInt())
                .sorted()
                .toArray();
        final StringBuilder text = new StringBuilder();
        for (int from = 0; from < indices.length; ) {
            int to = from;
            while (to + 1 < indices.length && indices[to + 1] == indices[to] + 1) {
                to++;
            }
            text.append(text.isEmpty() ? "" : ",").append(indices[from]);
            if (to > from) {
                text.append('-').append(indices[to]);
            }
            from = to + 1;
        }
        return text.toString();
    }
}
