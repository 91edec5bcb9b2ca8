package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.JobSelection;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows jobs as Slurm does. */
@Command(
        name = "squeue",
        versionProvider = SlurmVersion.class,
        sortOptions = false,
        description = "Shows your jobs on all clusters in the formats of Slurm; operators see all jobs.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failure"})
public final class Squeue implements Callable<Integer> {

    private static final String BRIEF = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
    private static final String LONG = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
    private static final String PREDICTED = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";
    private static final String ONLY_STATE = "%.18i %.9T";

    /** As long as Slurm shows ended jobs (MinJobAge). */
    private static final Duration RECENT = Duration.ofMinutes(5);

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Option(
            names = {"-j", "--jobs"},
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "NUMBERS",
            description = "only these jobs: 4711, 4711_3, 4711_[1-5]")
    @Nullable
    List<String> jobs;

    @Option(
            names = {"-u", "--user", "--users"},
            paramLabel = "USERS",
            description = "only jobs of these users")
    @Nullable
    List<String> users;

    @Option(names = "--me", description = "only my jobs")
    boolean me;

    @Option(
            names = {"-n", "--name"},
            paramLabel = "NAMES",
            description = "only jobs of these names")
    @Nullable
    List<String> names;

    @Option(
            names = {"-t", "--states"},
            paramLabel = "STATES",
            description = "only jobs in these states, such as PENDING or PD; all: also those that have just ended")
    @Nullable
    List<String> states;

    @Option(
            names = {"-p", "--partitions", "--partition"},
            paramLabel = "PARTITIONS",
            description = "only jobs for these partitions")
    @Nullable
    List<String> partitions;

    @Option(
            names = {"-A", "--accounts", "--account"},
            paramLabel = "PROJECTS",
            description = "only jobs of these projects")
    @Nullable
    List<String> accounts;

    @Option(
            names = {"-w", "--nodelist", "--nodes"},
            paramLabel = "CLUSTERS",
            description = "only jobs on these clusters, which the column NODELIST shows")
    @Nullable
    List<String> nodes;

    @Option(
            names = {"-o", "--format"},
            paramLabel = "FORMAT",
            description = "such as %%.18i %%.9P %%T, see squeue(1)")
    @Nullable
    String format;

    @Option(
            names = {"-O", "--Format"},
            paramLabel = "FIELDS",
            description = "such as JobArrayID:18,State, see squeue(1)")
    @Nullable
    String fields;

    @Option(
            names = {"-h", "--noheader"},
            description = "no headings")
    boolean noHeader;

    @Option(
            names = {"-l", "--long"},
            description = "more columns")
    boolean wide;

    @Option(names = "--start", description = "predicted starts of waiting jobs")
    boolean start;

    @Option(
            names = {"-r", "--array"},
            description = "a line for each task of an array")
    boolean eachTask;

    @Option(
            names = {"-S", "--sort"},
            paramLabel = "LETTERS",
            description = "sort by these letters of --format; -LETTER: descending (default: oldest first)")
    @Nullable
    String sort;

    @Option(names = "--only-job-state", description = "only numbers and states")
    boolean onlyState;

    @Option(names = "--json", description = "JSON of Slurm")
    boolean json;

    @Option(
            names = {
                "-a",
                "--all",
                "--hide",
                "-P",
                "--priority",
                "--federation",
                "--local",
                "--sibling",
                "--noconvert",
                "--array-unique",
                "--expand-patterns"
            },
            hidden = true)
    boolean[] noEffect = new boolean[0];

    private final Map<String, String> environment;

    public Squeue(final Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        final List<String> numbers = JobLookup.numbers(jobs);
        final Instant now = Instant.now();
        final SlurmFormat<SlurmJob> shown = format();
        final List<JsonNode> found = found(api, numbers, now);
        if (found.isEmpty() && numbers.size() == 1) {
            Printer.err("slurm_load_jobs error: Invalid job id specified");
            return ExitCode.FAILED;
        }
        final Set<SlurmState> wanted = states();
        final List<JsonNode> selected = found.stream()
                .filter(selected(api))
                .filter(job -> wanted.contains(SlurmState.of(job)))
                .toList();
        final List<SlurmJob> lines =
                sorted(eachTask || json ? JobLookup.single(selected, now) : JobLookup.collapsed(selected, now));
        if (json) {
            Printer.block(SlurmJson.jobs("squeue", lines));
            return ExitCode.OK;
        }
        if (wide && !noHeader) {
            Printer.out(SlurmField.date(now));
        }
        shown.lines(lines, !noHeader).forEach(Printer::out);
        return ExitCode.OK;
    }

    private List<JsonNode> found(final ApiClient api, final List<String> numbers, final Instant now)
            throws CommandException {
        final boolean ended = wantsEnded();
        if (!numbers.isEmpty()) {
            return ended ? new JobLookup(api).named(numbers) : new JobLookup(api).unfinished(numbers);
        }
        return JobSelection.jobs(
                api,
                (ended ? "&from=" + now.minus(RECENT) : "&state=active")
                        + JobLookup.parameter("name", JobLookup.words(names)));
    }

    private boolean wantsEnded() throws CommandException {
        return states().stream().anyMatch(SlurmState::isFinished);
    }

    private Set<SlurmState> states() throws CommandException {
        if (states == null) {
            return start
                    ? EnumSet.of(SlurmState.PENDING)
                    : EnumSet.of(SlurmState.PENDING, SlurmState.RUNNING, SlurmState.SUSPENDED, SlurmState.COMPLETING);
        }
        return SlurmState.named(JobLookup.words(states));
    }

    private Predicate<JsonNode> selected(final ApiClient api) throws CommandException {
        final List<String> owners = me ? List.of(api.user()) : JobLookup.words(users);
        final List<String> on = new ArrayList<>(common.clusters());
        on.addAll(JobLookup.words(nodes));
        return JobLookup.field("user", owners)
                .and(JobLookup.field("name", JobLookup.words(names)))
                .and(JobLookup.field("partition", JobLookup.words(partitions)))
                .and(JobLookup.field("project", JobLookup.words(accounts)))
                .and(JobLookup.field("cluster", on));
    }

    private SlurmFormat<SlurmJob> format() throws CommandException {
        if (fields != null) {
            return SlurmFormat.names(fields, SlurmColumn.queue());
        }
        final String usual = onlyState ? ONLY_STATE : start ? PREDICTED : wide ? LONG : BRIEF;
        final String chosen = format != null
                ? format
                : usual.equals(BRIEF) ? environment.getOrDefault("SQUEUE_FORMAT", BRIEF) : usual;
        return SlurmFormat.letters(chosen, SlurmColumn.queue());
    }

    private List<SlurmJob> sorted(final List<SlurmJob> lines) throws CommandException {
        if (sort == null) {
            return lines;
        }
        final List<SlurmJob> sorted = new ArrayList<>(lines);
        for (final String key : List.of(sort.split(",")).reversed()) {
            final Comparator<SlurmJob> order = order(key.replaceFirst("^[+-]", ""));
            sorted.sort(key.startsWith("-") ? order.reversed() : order);
        }
        return sorted;
    }

    private static Comparator<SlurmJob> order(final String letter) throws CommandException {
        for (final SlurmColumn<SlurmJob> column : SlurmColumn.queue()) {
            if (column.letter() != null && letter.equals(column.letter().toString())) {
                return Comparator.comparing(
                        column.value(),
                        Comparator.<String>comparingLong(text -> text.matches("\\d{1,18}") ? Long.parseLong(text) : 0)
                                .thenComparing(Comparator.naturalOrder()));
            }
        }
        throw new CommandException(ExitCode.FAILED, "Invalid sort specification: " + letter);
    }
}
