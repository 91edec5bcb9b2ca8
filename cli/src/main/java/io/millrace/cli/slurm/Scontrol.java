package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.JobRequests;
import io.millrace.cli.JobSelection;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.WalltimeFormat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows and changes jobs as Slurm does. */
@Command(
        name = "scontrol",
        versionProvider = SlurmVersion.class,
        sortOptions = false,
        description = {
            "Shows and changes jobs on any cluster:",
            "  show job [NUMBER], show partition [NAME], show config, ping, version",
            "  hold NUMBERS, uhold NUMBERS, release NUMBERS, suspend and requeue are refused",
            "  update JobId=NUMBER [TimeLimit=..] [NumCPUs=..] [Partition=..] [JobName=..] [Nice=..] [Dependency=..]"
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failure"})
public final class Scontrol implements Callable<Integer> {

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Option(
            names = {"-o", "--oneliner"},
            description = "each job in one line")
    boolean oneLine;

    @Option(
            names = {"-Q", "--quiet"},
            description = "no errors")
    boolean quiet;

    @Option(names = "--json", description = "JSON of Slurm")
    boolean json;

    @Option(
            names = {"-a", "--all", "-d", "--details", "--hide", "--federation", "--local", "--sibling"},
            hidden = true)
    boolean[] noEffect = new boolean[0];

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "see above")
    List<String> words = List.of();

    private final Map<String, String> environment;

    public Scontrol(final Map<String, String> environment) {
        this.environment = environment;
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        final List<String> rest = words.subList(1, words.size());
        return switch (words.getFirst().toLowerCase(Locale.ROOT)) {
            case "show" -> show(api, rest);
            case "hold", "uhold" -> request(api, "hold", numbers(rest), Json.object());
            case "release" -> request(api, "release", numbers(rest), Json.object());
            case "update" -> update(api, rest);
            case "ping" -> ping(api);
            case "version" -> print(new SlurmVersion().getVersion()[0]);
            default ->
                throw new CommandException(
                        ExitCode.FAILED,
                        "'" + words.getFirst() + "' is not possible across clusters; use scontrol of the workload"
                                + " manager on the cluster that squeue shows");
        };
    }

    private static int print(final String line) {
        Printer.out(line);
        return ExitCode.OK;
    }

    /** {@code 4711 4712,4713_[1-3]}, also {@code job=4711}. */
    private static List<String> numbers(final List<String> words) throws CommandException {
        final List<String> numbers = JobLookup.numbers(words.stream()
                .map(word -> word.replaceFirst("(?i)^job(id)?=", ""))
                .toList());
        if (numbers.isEmpty()) {
            throw new CommandException(ExitCode.FAILED, "too few arguments: name the number of a job");
        }
        return numbers;
    }

    private int request(final ApiClient api, final String verb, final List<String> numbers, final ObjectNode body)
            throws CommandException {
        final List<@Nullable CommandException> failures = JobRequests.failures(api, verb, numbers, body);
        int exit = ExitCode.OK;
        for (int i = 0; i < numbers.size(); i++) {
            final CommandException failure = failures.get(i);
            if (failure != null) {
                exit = ExitCode.FAILED;
                if (!quiet) {
                    Printer.errBlock(
                            failure.exitCode() == ExitCode.NOT_FOUND
                                    ? "Invalid job id specified for job " + numbers.get(i)
                                    : failure.getMessage() + " for job " + numbers.get(i));
                }
            }
        }
        return exit;
    }

    private int update(final ApiClient api, final List<String> settings) throws CommandException {
        final ObjectNode change = Json.object();
        List<String> numbers = List.of();
        for (final String word : settings) {
            final String[] pair = word.split("=", 2);
            final String key = pair[0].toLowerCase(Locale.ROOT);
            if (pair.length < 2) {
                throw invalid(word);
            }
            if (key.equals("job") || key.equals("jobid")) {
                numbers = numbers(List.of(pair[1]));
            } else {
                put(change, key, word, pair[1]);
            }
        }
        if (numbers.isEmpty() || change.isEmpty()) {
            throw new CommandException(
                    ExitCode.FAILED, "No valid entity in update command; write update JobId=4711 TimeLimit=30");
        }
        return request(api, "alter", numbers, change);
    }

    private static void put(final ObjectNode change, final String key, final String word, final String value)
            throws CommandException {
        switch (key) {
            case "timelimit" -> change.put("walltime", value);
            case "partition" -> change.put("partition", value);
            case "name", "jobname" -> change.put("name", value);
            case "numcpus", "numtasks", "reqcores" -> change.put("cores", number(word, value));
            case "nice" -> change.put("priority", -number(word, value));
            case "dependency" -> change.put("dependency", value.isEmpty() ? "none" : value);
            default -> throw invalid(word);
        }
    }

    private static int number(final String word, final String digits) throws CommandException {
        if (!digits.matches("-?\\d{1,9}")) {
            throw invalid(word);
        }
        return Integer.parseInt(digits);
    }

    private static CommandException invalid(final String word) {
        return new CommandException(
                ExitCode.FAILED,
                "Update of this parameter is not supported: " + word
                        + "; possible: TimeLimit, NumCPUs, Partition, JobName, Nice and Dependency");
    }

    private int ping(final ApiClient api) throws CommandException {
        api.get("/clusters");
        if (json) {
            final var pings = Json.object().putArray("pings");
            pings.addObject()
                    .put("hostname", "millrace")
                    .put("pinged", "UP")
                    .put("mode", "primary")
                    .put("primary", true)
                    .put("responding", true);
            Printer.block(SlurmJson.document("scontrol", "pings", pings));
            return ExitCode.OK;
        }
        return print("Slurmctld(primary) at millrace is UP");
    }

    private int show(final ApiClient api, final List<String> what) throws CommandException {
        final String entity = what.isEmpty() ? "" : what.getFirst().toLowerCase(Locale.ROOT);
        final String kind = entity.replaceFirst("=.*", "");
        final List<String> named = entity.contains("=")
                ? List.of(entity.replaceFirst(".*?=", ""))
                : what.subList(Math.min(1, what.size()), what.size());
        return switch (kind) {
            case "job", "jobs", "jobid" -> jobs(api, named);
            case "partition", "partitions", "part" -> partitions(api, named);
            case "config" -> config();
            default ->
                throw new CommandException(
                        ExitCode.FAILED,
                        "show " + kind + " is not possible: Millrace knows jobs, partitions and clusters; use sinfo, or"
                                + " scontrol of the workload manager");
        };
    }

    private int config() {
        Printer.out("Configuration data as of " + SlurmField.date(Instant.now()));
        Printer.out("ClusterName             = millrace");
        Printer.out("MinJobAge               = 300 sec");
        Printer.out("SchedulerTimeSlice      = 5 sec"); // after which programs look again
        Printer.out("SLURM_VERSION           = 22.05.8");
        return ExitCode.OK;
    }

    private int partitions(final ApiClient api, final List<String> names) throws CommandException {
        boolean found = false;
        for (final JsonNode cluster : api.get("/clusters").path("clusters")) {
            for (final JsonNode partition : cluster.path("partitions")) {
                final Sinfo.Part part = new Sinfo.Part(cluster, partition);
                if (JobLookup.field("name", names).test(partition)
                        && JobLookup.field("name", common.clusters()).test(cluster)) {
                    found = true;
                    record(List.of(
                            "PartitionName=" + part.name() + " Cluster=" + part.clusterName(),
                            "Default=" + (partition.path("isDefault").asBoolean() ? "YES" : "NO"),
                            "MaxTime=" + (part.limit().equals("infinite") ? "UNLIMITED" : part.limit()),
                            "Nodes=" + part.clusterName(),
                            "State=" + (part.isUp() ? "UP" : "DOWN") + " TotalCPUs="
                                    + partition.path("cores").asText() + " TotalNodes=" + part.nodes()));
                }
            }
        }
        if (!found) {
            Printer.err("Partition " + String.join(",", names) + " not found");
        }
        return found ? ExitCode.OK : ExitCode.FAILED;
    }

    private int jobs(final ApiClient api, final List<String> named) throws CommandException {
        final List<String> numbers = JobLookup.numbers(named);
        final List<JsonNode> found =
                numbers.isEmpty() ? JobSelection.jobs(api, "&state=active") : new JobLookup(api).named(numbers);
        if (found.isEmpty() && !numbers.isEmpty()) {
            Printer.err("slurm_load_jobs error: Invalid job id specified");
            return ExitCode.FAILED;
        }
        final List<SlurmJob> jobs = JobLookup.single(found, Instant.now());
        if (json) {
            Printer.block(SlurmJson.jobs("scontrol", jobs));
        } else if (jobs.isEmpty()) {
            Printer.out("No jobs in the system");
        } else {
            jobs.forEach(this::job);
        }
        return ExitCode.OK;
    }

    private void job(final SlurmJob job) {
        final List<String> lines = new ArrayList<>();
        lines.add("JobId=" + job.array()
                + (job.view().hasNonNull("batch")
                        ? " ArrayJobId=" + job.array() + " ArrayTaskId=" + job.text("index")
                        : "")
                + " JobName=" + job.text("name"));
        lines.add("UserId=" + job.text("user") + "(N/A)");
        lines.add("Priority=" + SlurmField.PRIORITY.queued(job) + " Nice=" + SlurmField.NICE.queued(job) + " Account="
                + SlurmField.ACCOUNT.queued(job) + " QOS=normal");
        lines.add("JobState=" + job.state() + " Reason=" + job.reason() + " Dependency="
                + SlurmField.DEPENDENCY.queued(job));
        lines.add("Requeue=1 Restarts=" + SlurmField.RESTARTS.queued(job) + " BatchFlag=1 Reboot=0 ExitCode="
                + job.exit());
        lines.add("RunTime=" + WalltimeFormat.format(job.elapsed()) + " TimeLimit=" + WalltimeFormat.format(job.limit())
                + " TimeMin=N/A");
        lines.add("SubmitTime=" + SlurmField.SUBMIT.accounted(job) + " EligibleTime="
                + SlurmField.ELIGIBLE.accounted(job));
        lines.add("StartTime=" + SlurmField.START.accounted(job) + " EndTime=" + SlurmField.END.accounted(job)
                + " Deadline=N/A");
        lines.add("Partition=" + SlurmField.PARTITION.queued(job) + " Cluster=" + SlurmField.CLUSTER.queued(job));
        lines.add("NodeList=" + SlurmField.NODE_LIST.queued(job));
        lines.add("BatchHost=" + SlurmField.BATCH_HOST.queued(job));
        lines.add("NumNodes=" + job.nodes() + " NumCPUs=" + job.text("cores") + " NumTasks=" + job.text("cores")
                + " CPUs/Task=1");
        lines.add("TRES=" + SlurmField.tres(job).replaceFirst("billing=\\d+,", ""));
        lines.add("MinMemoryNode=" + SlurmField.MEMORY.queued(job));
        lines.add("WorkDir=" + job.text("directory"));
        lines.add("StdErr=" + job.standardError());
        lines.add("StdOut=" + job.standardOutput());
        record(lines);
    }

    private void record(final List<String> lines) {
        if (oneLine) {
            Printer.out(String.join(" ", lines));
        } else {
            lines.forEach(line -> Printer.out((line.equals(lines.getFirst()) ? "" : "   ") + line));
            Printer.out("");
        }
    }
}
