package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.JobColumn;
import io.millrace.cli.text.JobExplanation;
import io.millrace.cli.text.JobRecord;
import io.millrace.cli.text.JobTable;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Table;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Stack;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Shows jobs. */
@Command(
        name = "mgstat",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        description = "Shows your unfinished jobs, the selected jobs, or the given jobs.",
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

    @Parameters(
            paramLabel = "ID",
            arity = "0..*",
            description =
                    "number of a job or batch (4711), tasks of a batch (4711_4, 4711_[3-6,9]), id or unique prefix, or"
                            + " CLUSTER/ID with the cluster's own id, such as alpha/153; with --why also jobs that were"
                            + " not submitted with mgsub")
    @Nullable
    List<String> ids;

    @Option(
            names = "--why",
            description = "explain in a few lines why the jobs wait, what helps, and the predicted start")
    boolean why;

    @Option(
            names = {"-v", "--verbose"},
            description = "with --why: every decision, command and run")
    boolean verbose;

    @Option(
            names = {"-l", "--long"},
            description = "everything about each of the named jobs, a line for each thing")
    boolean record;

    @Option(
            names = {"-a", "--all"},
            description = "include finished jobs")
    boolean all;

    @Option(
            names = {"-r", "--array"},
            description = "one line for each job of a batch, as with --format, --json and --batch")
    boolean eachTask;

    @Mixin
    JobSelection selection = new JobSelection();

    @Option(
            names = {"-o", "--format"},
            paramLabel = "COLUMN",
            split = ",",
            description =
                    "columns to show: id (number), ulid, batch, index, name, user, project, state, cluster, localid,"
                            + " partition, cores, nodes, gpus, memory, walltime, submitted, start (~: predicted), end,"
                            + " elapsed, left, preempted, exit, priority, directory, reason")
    @Nullable
    List<String> format;

    @Option(
            names = {"-S", "--sort"},
            paramLabel = "COLUMN",
            parameterConsumer = SortKeys.class,
            description = "sort by these columns; -COLUMN: descending (default: submitted)")
    @Nullable
    List<String> sort;

    /** Takes keys that look like options, such as {@code -cores}. */
    static final class SortKeys implements IParameterConsumer {
        @Override
        public void consumeParameters(final Stack<String> rest, final ArgSpec option, final CommandSpec command) {
            if (rest.isEmpty()) {
                throw new ParameterException(command.commandLine(), "missing COLUMN of --sort");
            }
            option.setValue(List.of(rest.pop().split(",")));
        }
    }

    @Option(names = "--noheader", description = "omit the headings of the table")
    boolean noHeader;

    @Option(names = "--count", description = "show the number of jobs in each state")
    boolean count;

    @Option(names = "--watch", description = "show changes until interrupted; of given jobs until they have finished")
    boolean watch;

    @Option(names = "--json", description = "print JSON")
    boolean json;

    private final Terminal terminal;

    Mgstat(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(System.getenv())));
    }

    int run(final ApiClient api) throws CommandException {
        if (watch) {
            watch(api);
            return ExitCode.OK;
        }
        if (count) {
            final JsonNode counts = selection.counts(api, all);
            print(json ? List.of(Json.pretty(counts)) : lines(JobTable.counts(counts)));
            return ExitCode.OK;
        }
        if (why && ids != null) {
            return explain(
                    api, TaskRange.expanded(ids).stream().map(Mgstat::whyPath).toList());
        }
        if (record) {
            return records(api);
        }
        final Instant now = Instant.now();
        final List<JobColumn> columns = columns(format, JobTable.columns(terminal));
        final List<JsonNode> found = ids != null ? named(api, ids) : selected(api);
        if (!found.isEmpty() && found.stream().allMatch(WaitForBatch::isBatch)) {
            return batches(found);
        }
        final List<JsonNode> jobs = sorted(ofJobs(api, found), now);
        if (why && !jobs.isEmpty()) {
            return explain(
                    api,
                    jobs.stream().map(job -> whyPath(job.path("id").asText())).toList());
        }
        if (json) {
            Printer.block(Json.pretty(Json.array(jobs)));
        } else if (jobs.isEmpty()) {
            Printer.err(none());
        } else {
            print(lines(JobTable.table(columns, jobs, now)));
        }
        return ExitCode.OK;
    }

    private int records(final ApiClient api) throws CommandException {
        if (ids == null) {
            throw new CommandException(ExitCode.USAGE, "--long needs the number of a job: mgstat --long 4711");
        }
        for (final JsonNode job : named(api, ids)) {
            if (WaitForBatch.isBatch(job)) {
                final String number = job.path("number").asText();
                throw new CommandException(
                        ExitCode.USAGE, number + " is a batch; name one of its jobs: mgstat --long " + number + "_1");
            }
            JobRecord.lines(job).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    /** A batch is one line where people read the table. */
    private List<JsonNode> selected(final ApiClient api) throws CommandException {
        return eachTask || why || json || format != null || selection.batch != null
                ? selection.jobs(api, all)
                : selection.collapsed(api, all);
    }

    /** Each batch with the number of its jobs in each state. */
    private int batches(final List<JsonNode> batches) throws CommandException {
        if (format != null) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "a batch has no columns; for its jobs: mgstat --batch "
                            + batches.getFirst().path("number").asText() + " -o ...");
        }
        if (json) {
            Printer.block(Json.pretty(Json.array(batches)));
            return ExitCode.OK;
        }
        for (final JsonNode batch : batches) {
            Printer.out(batch.path("number").asText() + " "
                    + TerminalText.printable(batch.path("name").asText()) + " "
                    + batch.path("user").asText() + ": "
                    + batch.path("jobs").asLong() + " jobs");
            print(lines(JobTable.counts(batch.path("counts"))));
        }
        return ExitCode.OK;
    }

    /** The jobs, with those of a batch in its place. */
    private static List<JsonNode> ofJobs(final ApiClient api, final List<JsonNode> found) throws CommandException {
        final List<JsonNode> jobs = new ArrayList<>();
        for (final JsonNode one : found) {
            if (WaitForBatch.isBatch(one)) {
                jobs.addAll(JobSelection.ofBatch(one.path("id").asText()).jobs(api, true));
            } else {
                jobs.add(one);
            }
        }
        return jobs;
    }

    private String none() {
        if (!selection.isEmpty()) {
            return all || selection.states != null
                    ? "No jobs match."
                    : "No unfinished jobs match; use --all to include finished ones.";
        }
        return all ? "You have no jobs." : "You have no unfinished jobs; use --all to include finished ones.";
    }

    private List<String> lines(final Table table) {
        final List<String> lines = table.lines(terminal);
        return noHeader ? lines.subList(1, lines.size()) : lines;
    }

    private static void print(final List<String> lines) {
        lines.forEach(Printer::out);
    }

    private static List<JobColumn> columns(final @Nullable List<String> names, final List<JobColumn> otherwise)
            throws CommandException {
        if (names == null) {
            return otherwise;
        }
        final List<JobColumn> columns = new ArrayList<>();
        for (final String name : names) {
            try {
                columns.add(JobColumn.of(name));
            } catch (IllegalArgumentException e) {
                throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()));
            }
        }
        return columns;
    }

    /** Sorts by the last column first, because sorting is stable. */
    private List<JsonNode> sorted(final List<JsonNode> jobs, final Instant now) throws CommandException {
        if (sort == null) {
            return jobs;
        }
        final List<JsonNode> sorted = new ArrayList<>(jobs);
        for (final String key : sort.reversed()) {
            final boolean descending = key.startsWith("-");
            final List<JobColumn> column = columns(List.of(descending ? key.substring(1) : key), List.of());
            final Comparator<JsonNode> order = column.getFirst().order(now);
            sorted.sort(descending ? order.reversed() : order);
        }
        return sorted;
    }

    /** A job in the queue of a cluster is named {@code cluster/id}; ids of global jobs contain no slash. */
    static String whyPath(final String id) {
        return id.contains("/")
                ? "/local-jobs/why?job=" + UrlComponent.encode(id)
                : "/jobs/" + UrlComponent.encode(id) + "/why";
    }

    private int explain(final ApiClient api, final List<String> paths) throws CommandException {
        final List<JsonNode> answers = new ArrayList<>();
        for (final String path : paths) {
            final JsonNode answer = api.get(path);
            answers.add(answer);
            if (!json) {
                (verbose ? JobExplanation.full(answer) : JobExplanation.brief(answer)).forEach(Printer::out);
            }
        }
        if (json) {
            Printer.block(Json.pretty(Json.array(answers)));
        }
        return ExitCode.OK;
    }

    private static List<JsonNode> named(final ApiClient api, final List<String> ids) throws CommandException {
        final List<JsonNode> jobs = new ArrayList<>();
        for (final String id : TaskRange.expanded(ids)) {
            jobs.add(api.get("/jobs/" + UrlComponent.encode(id)));
        }
        return jobs;
    }

    /** Redraws a table on a terminal; otherwise prints a line for each change. */
    private void watch(final ApiClient api) throws CommandException {
        if (!selection.isEmpty()) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "--watch shows all your unfinished jobs or the given ids; omit the options that select jobs");
        }
        final List<JobColumn> columns = columns(format, JobTable.columns(terminal));
        new WatchedJobs(api, ids == null ? List.of() : ofJobs(api, named(api, ids)), (event, jobs) -> {
                    if (json) {
                        Printer.out(Json.compact(event));
                    } else if (terminal.outIsTerminal()) {
                        Printer.clear();
                        print(lines(JobTable.table(columns, jobs, Instant.now())));
                    } else {
                        Printer.out(change(event.path("job")));
                    }
                })
                .follow();
    }

    private static String change(final JsonNode job) {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS) + " "
                + job.path("number").asText() + " "
                + TerminalText.printable(job.path("name").asText()) + " " + JobTable.state(job)
                + (job.hasNonNull("cluster") ? " " + job.path("cluster").asText() : "");
    }
}
