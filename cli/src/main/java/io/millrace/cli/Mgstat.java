package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.EventStream;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.JobExplanation;
import io.millrace.cli.text.JobTable;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows jobs. */
@Command(
        name = "mgstat",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description = "Shows your unfinished jobs, or the given jobs.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:success",
            "1:not possible, for example because an ID prefix matches several jobs",
            "2:invalid options or arguments",
            "3:not authorised",
            "4:job not found",
            "5:the service is not reachable"
        })
final class Mgstat implements Callable<Integer> {

    private static final int PAGE = 500;

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description = "id or unique prefix, or CLUSTER/ID with the cluster's own id, such as alpha/153;"
                    + " with --why also jobs that were not submitted with mgsub")
    @Nullable
    List<String> ids;

    @Option(names = "--why", description = "explain the state of the jobs: decisions, reasons and predicted start")
    boolean why;

    @Option(names = "--all", description = "include finished jobs")
    boolean all;

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "only jobs of this user; other users: operators only")
    @Nullable
    String user;

    @Option(names = "--watch", description = "show changes until interrupted")
    boolean watch;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    Mgstat(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final ApiClient api = new ApiClient(Settings.read(System.getenv()));
        if (watch) {
            watch(api);
            return ExitCode.OK;
        }
        if (why && ids != null) {
            return explain(api, ids.stream().map(Mgstat::whyPath).toList());
        }
        final List<JsonNode> jobs = ids == null ? listed(api) : named(api, ids);
        if (why) {
            return explain(
                    api,
                    jobs.stream().map(job -> whyPath(job.path("id").asText())).toList());
        }
        if (json) {
            final ArrayNode array = JsonNodeFactory.instance.arrayNode();
            jobs.forEach(array::add);
            System.out.println(Json.pretty(array));
        } else {
            show(jobs);
        }
        return ExitCode.OK;
    }

    private void show(final List<JsonNode> jobs) {
        if (jobs.isEmpty()) {
            System.err.println(
                    all ? "You have no jobs." : "You have no unfinished jobs; use --all to include finished ones.");
            return;
        }
        JobTable.table(jobs, Instant.now()).lines(terminal).forEach(System.out::println);
    }

    /** A job in the queue of a cluster is named {@code cluster/id}; ids of global jobs contain no slash. */
    static String whyPath(final String id) {
        return id.contains("/")
                ? "/local-jobs/why?job=" + UrlComponent.encode(id)
                : "/jobs/" + UrlComponent.encode(id) + "/why";
    }

    private int explain(final ApiClient api, final List<String> paths) throws CommandException {
        final ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (final String path : paths) {
            final JsonNode answer = api.get(path);
            if (json) {
                array.add(answer);
            } else {
                JobExplanation.lines(answer).forEach(System.out::println);
            }
        }
        if (json) {
            System.out.println(Json.pretty(array));
        }
        return ExitCode.OK;
    }

    private static List<JsonNode> named(final ApiClient api, final List<String> ids) throws CommandException {
        final List<JsonNode> jobs = new ArrayList<>();
        for (final String id : ids) {
            jobs.add(api.get("/jobs/" + UrlComponent.encode(id)));
        }
        return jobs;
    }

    private List<JsonNode> listed(final ApiClient api) throws CommandException {
        final String query = "/jobs?limit=" + PAGE + (all ? "" : "&state=active")
                + (user == null ? "" : "&user=" + UrlComponent.encode(user));
        final List<JsonNode> jobs = new ArrayList<>();
        @Nullable String next = null;
        do {
            final JsonNode page = api.get(query + (next == null ? "" : "&after=" + next));
            page.path("jobs").forEach(jobs::add);
            next = page.path("next").textValue();
        } while (next != null);
        return jobs.reversed();
    }

    /** Redraws a table on a terminal; otherwise prints a line for each change. */
    private void watch(final ApiClient api) throws CommandException {
        final Map<String, JsonNode> jobs = new LinkedHashMap<>();
        new EventStream(api).follow(event -> {
            final JsonNode job = event.path("job");
            if (ids != null
                    && ids.stream().noneMatch(id -> job.path("id").asText().startsWith(id.toUpperCase(Locale.ROOT)))) {
                return true;
            }
            jobs.put(job.path("id").asText(), job);
            if (json) {
                System.out.println(event);
            } else if (terminal.outIsTerminal()) {
                System.out.print("\u001b[H\u001b[2J");
                show(List.copyOf(jobs.values()));
            } else {
                System.out.println(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " "
                        + job.path("id").asText() + " "
                        + TerminalText.printable(job.path("name").asText()) + " " + JobTable.state(job)
                        + (job.hasNonNull("cluster") ? " " + job.path("cluster").asText() : ""));
            }
            return !System.out.checkError();
        });
    }
}
