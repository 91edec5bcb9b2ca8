package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.JobSelection;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.TimeSpan;
import java.time.Instant;
import java.time.ZoneId;
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

/** Shows jobs of the past and the present as Slurm's accounting does. */
@Command(
        name = "sacct",
        versionProvider = SlurmVersion.class,
        sortOptions = false,
        description =
                "Shows your jobs on all clusters since midnight, or the given jobs, in the formats of Slurm. A job is"
                        + " one line, without its steps.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failure"})
public final class Sacct implements Callable<Integer> {

    private static final String BRIEF = "JobID,State,ExitCode";
    private static final String USUAL = "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode";
    private static final String LONG =
            "JobID,JobIDRaw,JobName,Partition,MaxRSS,AllocCPUS,Elapsed,State,ExitCode,ReqMem,ReqTRES,AllocTRES";

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Mixin
    AccountingTable table = new AccountingTable();

    @Option(
            names = {"-j", "--jobs"},
            paramLabel = "NUMBERS",
            description = "only these jobs: 4711, 4711_3, 4711_[1-5]")
    @Nullable
    List<String> jobs;

    @Option(names = "--name", paramLabel = "NAMES", description = "only jobs of these names")
    @Nullable
    List<String> names;

    @Option(
            names = {"-u", "--user", "--uid"},
            paramLabel = "USERS",
            description = "only jobs of these users (default: yours)")
    @Nullable
    List<String> users;

    @Option(
            names = {"-a", "--allusers"},
            description = "jobs of all users; operators only")
    boolean allUsers;

    @Option(
            names = {"-A", "--accounts"},
            paramLabel = "PROJECTS",
            description = "only jobs of these projects")
    @Nullable
    List<String> accounts;

    @Option(
            names = {"-r", "--partition"},
            paramLabel = "PARTITIONS",
            description = "only jobs for these partitions")
    @Nullable
    List<String> partitions;

    @Option(
            names = {"-N", "--nodelist"},
            paramLabel = "CLUSTERS",
            description = "only jobs on these clusters, which the field NodeList shows")
    @Nullable
    List<String> nodes;

    @Option(
            names = {"-s", "--state"},
            paramLabel = "STATES",
            description = "only jobs in these states, such as COMPLETED or CD")
    @Nullable
    List<String> states;

    @Option(
            names = {"-S", "--starttime"},
            paramLabel = "TIME",
            description = "only jobs that had not ended before: 2026-11-29[T12:00[:00]], 12:00, now-2days, midnight"
                    + " (default: midnight, with -j no limit)")
    @Nullable
    String from;

    @Option(
            names = {"-E", "--endtime"},
            paramLabel = "TIME",
            description = "only jobs that were submitted before (default: now)")
    @Nullable
    String to;

    @Option(
            names = {"-b", "--brief"},
            description = "number, state and exit code")
    boolean brief;

    @Option(
            names = {"-l", "--long"},
            description = "more fields")
    boolean wide;

    @Option(
            names = {"-e", "--helpformat"},
            description = "show the names of the fields")
    boolean helpFormat;

    @Option(names = "--json", description = "JSON of Slurm")
    boolean json;

    @Option(
            names = {
                "-X",
                "--allocations",
                "-t",
                "-D",
                "--duplicates",
                "-L",
                "--allclusters",
                "-T",
                "--truncate",
                "--federation",
                "--local",
                "--noconvert",
                "--use-local-uid",
                "-c",
                "--completion",
                "--array"
            },
            hidden = true)
    boolean[] noEffect = new boolean[0];

    @Option(
            names = {"--units", "-q", "--qos", "-W", "--wckeys", "--whole-hetjob"},
            arity = "1",
            hidden = true)
    List<String> ignored = List.of();

    private final Map<String, String> environment;

    public Sacct(final Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws CommandException {
        if (helpFormat) {
            SlurmColumn.accounting().stream().map(SlurmColumn::heading).sorted().forEach(Printer::out);
            return ExitCode.OK;
        }
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        if (wide && table.format != null) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "Options -o(--format) and -l(--long) are mutually exclusive. Please remove one and retry.");
        }
        final Instant now = Instant.now();
        final List<String> numbers = JobLookup.numbers(jobs);
        final List<JsonNode> found =
                numbers.isEmpty() ? JobSelection.jobs(api, query(api, now)) : new JobLookup(api).named(numbers);
        final Set<SlurmState> wanted =
                states == null ? EnumSet.allOf(SlurmState.class) : SlurmState.named(JobLookup.words(states));
        final List<SlurmJob> lines = JobLookup.single(
                found.stream()
                        .filter(selected())
                        .filter(job -> wanted.contains(SlurmState.of(job)))
                        .toList(),
                now);
        if (json) {
            Printer.block(SlurmJson.jobs("sacct", lines));
        } else {
            table.lines(lines, SlurmColumn.accounting(), fields()).forEach(Printer::out);
        }
        return ExitCode.OK;
    }

    private String fields() {
        return brief ? BRIEF : wide ? LONG : environment.getOrDefault("SACCT_FORMAT", USUAL);
    }

    private String query(final ApiClient api, final Instant now) throws CommandException {
        return "&from=" + parameter(from == null ? "midnight" : from, now)
                + (to == null ? "" : "&to=" + parameter(to, now))
                + JobLookup.parameter("name", JobLookup.words(names))
                + JobLookup.parameter(
                        "user", allUsers ? List.of() : users == null ? List.of(api.user()) : JobLookup.words(users));
    }

    private static String parameter(final String time, final Instant now) throws CommandException {
        try {
            return UrlComponent.encode(
                    TimeSpan.of(time, now, ZoneId.systemDefault()).from().toString());
        } catch (final IllegalArgumentException e) {
            throw new CommandException(ExitCode.FAILED, "Invalid time specification: " + time);
        }
    }

    private Predicate<JsonNode> selected() {
        return JobLookup.field("user", JobLookup.words(users))
                .and(JobLookup.field("name", JobLookup.words(names)))
                .and(JobLookup.field("project", JobLookup.words(accounts)))
                .and(JobLookup.field("partition", JobLookup.words(partitions)))
                .and(JobLookup.field("cluster", common.clusters()))
                .and(JobLookup.field("cluster", JobLookup.words(nodes)));
    }
}
