package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.JobRequests;
import io.millrace.cli.JobSelection;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Cancels jobs as Slurm does. */
@Command(
        name = "scancel",
        versionProvider = SlurmVersion.class,
        sortOptions = false,
        description = "Cancels jobs on any cluster.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:requested, or the jobs had ended already", "1:failure"})
public final class Scancel implements Callable<Integer> {

    private static final Set<String> ENDING = Set.of("KILL", "9", "TERM", "15", "INT", "2");

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Parameters(paramLabel = "NUMBER", arity = "0..*", description = "4711, 4711_3, 4711_[1-5]")
    List<String> jobs = List.of();

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "jobs of this user")
    @Nullable
    String user;

    @Option(names = "--me", description = "all my jobs")
    boolean me;

    @Option(
            names = {"-n", "--name", "--jobname"},
            paramLabel = "NAME",
            description = "jobs of this name")
    @Nullable
    String name;

    @Option(
            names = {"-t", "--state"},
            paramLabel = "STATE",
            description = "jobs in this state: PENDING, RUNNING or SUSPENDED")
    @Nullable
    List<String> states;

    @Option(
            names = {"-A", "--account"},
            paramLabel = "PROJECT",
            description = "jobs of this project")
    @Nullable
    String account;

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "PARTITION",
            description = "jobs for this partition")
    @Nullable
    String partition;

    @Option(
            names = {"-w", "--nodelist"},
            paramLabel = "CLUSTERS",
            description = "jobs on these clusters")
    @Nullable
    List<String> nodes;

    @Option(
            names = {"-s", "--signal"},
            paramLabel = "SIGNAL",
            description = "KILL, TERM or INT; each cancels the job")
    @Nullable
    String signal;

    @Option(
            names = {"-i", "--interactive"},
            description = "ask for each job")
    boolean interactive;

    @Option(
            names = {"-Q", "--quiet"},
            description = "no errors")
    boolean quiet;

    @Option(
            names = {"-b", "--batch", "-f", "--full", "-H", "--hurry", "--ctld", "-c", "--cron"},
            hidden = true)
    boolean[] noEffect = new boolean[0];

    private final Map<String, String> environment;

    public Scancel(final Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        if (signal != null && !ENDING.contains(signal.toUpperCase(Locale.ROOT).replaceFirst("^SIG", ""))) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "signal " + signal + " cannot be sent across clusters; use scancel of the workload manager on the"
                            + " cluster that squeue shows");
        }
        final List<String> chosen = new ArrayList<>(chosen(api));
        if (interactive) {
            chosen.removeIf(number -> !isConfirmed(number));
        }
        int exit = ExitCode.OK;
        final List<@Nullable CommandException> failures = JobRequests.failures(api, "stop", chosen, Json.object());
        for (int i = 0; i < chosen.size(); i++) {
            final CommandException failure = failures.get(i);
            // a job that has ended is what the caller wants, as for Slurm
            if (failure != null && failure.exitCode() != ExitCode.FAILED) {
                exit = ExitCode.FAILED;
                if (!quiet) {
                    Printer.err("scancel: error: Kill job error on job id " + chosen.get(i) + ": "
                            + (failure.exitCode() == ExitCode.NOT_FOUND
                                    ? "Invalid job id specified"
                                    : failure.getMessage()));
                }
            }
        }
        return exit;
    }

    private List<String> chosen(final ApiClient api) throws CommandException {
        final List<String> numbers = JobLookup.numbers(jobs);
        if (!isFiltered()) {
            if (numbers.isEmpty()) {
                throw new CommandException(ExitCode.FAILED, "No job identification provided");
            }
            return numbers;
        }
        final List<JsonNode> found =
                numbers.isEmpty() ? JobSelection.jobs(api, "&state=active") : new JobLookup(api).named(numbers);
        return found.stream()
                .filter(selected(api))
                .map(job -> job.path("number").asText())
                .toList();
    }

    private boolean isFiltered() {
        return me
                || user != null
                || name != null
                || states != null
                || account != null
                || partition != null
                || nodes != null
                || !common.clusters().isEmpty();
    }

    private Predicate<JsonNode> selected(final ApiClient api) throws CommandException {
        final Set<SlurmState> wanted =
                states == null ? EnumSet.allOf(SlurmState.class) : SlurmState.named(JobLookup.words(states));
        final Predicate<JsonNode> unfinished = job -> !SlurmState.of(job).isFinished();
        return unfinished
                .and(job -> wanted.contains(SlurmState.of(job)))
                .and(JobLookup.field("user", me ? List.of(api.user()) : one(user)))
                .and(JobLookup.field("name", one(name)))
                .and(JobLookup.field("project", one(account)))
                .and(JobLookup.field("partition", one(partition)))
                .and(JobLookup.field("cluster", JobLookup.words(nodes)))
                .and(JobLookup.field("cluster", common.clusters()));
    }

    private static List<String> one(final @Nullable String value) {
        return value == null ? List.of() : List.of(value);
    }

    private static boolean isConfirmed(final String number) {
        Printer.ask("Cancel job_id=" + number + " [y/n]? ");
        final Scanner input = new Scanner(System.in, System.out.charset());
        return input.hasNextLine() && input.nextLine().strip().equalsIgnoreCase("y");
    }
}
