package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Submits a job. */
@Command(
        name = "mgsub",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        sortOptions = false,
        customSynopsis = {"mgsub [options] SCRIPT", "       mgsub [options] -- COMMAND ARGUMENTS..."},
        description = {
            "Submits a job to all clusters and prints its id.",
            "SCRIPT is a job script ('-' reads it from standard input); COMMAND is run as it stands, nothing in it is interpreted.",
            "Of a script's #SBATCH, #PBS or #BSUB lines is taken what the options do not say."
        },
        exitCodeListHeading = "Exit codes (with --wait the job's own):%n",
        exitCodeList = {
            "0:accepted",
            "1:(with --wait) the job was aborted, stopped or killed; (with --dry-run) no cluster would take it",
            "2:wrong options, or a job that cannot be one",
            "3:not authorised",
            "4:no such file",
            "5:the service is not reachable"
        })
final class Mgsub implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Option(
            names = {"-n", "--cores"},
            paramLabel = "N",
            description = "cores in all (default: what the script says, else 1)")
    @Nullable
    Integer cores;

    @Option(
            names = {"-t", "--walltime"},
            paramLabel = "TIME",
            description = "limit of the run: minutes, [D-]HH:MM:SS, or PT1H30M; needed unless the script says it")
    @Nullable
    String walltime;

    @Option(
            names = {"-J", "--name"},
            paramLabel = "NAME",
            description = "name for people (default: what the script says, else the file's or program's)")
    @Nullable
    String name;

    @Option(
            names = {"-d", "--directory"},
            paramLabel = "DIR",
            description = "the job's directory (default: where you are)")
    @Nullable
    String directory;

    @Option(names = "--nodes", paramLabel = "N", description = "whole nodes to spread over")
    @Nullable
    Integer nodes;

    @Option(names = "--memory", paramLabel = "SIZE", description = "memory in all: MiB, or 4G")
    @Nullable
    String memory;

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs in all")
    @Nullable
    Integer gpus;

    @Option(
            names = {"-p", "--partition"},
            paramLabel = "NAME",
            description = "partition on the cluster where it runs")
    @Nullable
    String partition;

    @Option(
            names = {"-A", "--project"},
            paramLabel = "NAME",
            description = "project that use is charged to")
    @Nullable
    String project;

    @Option(
            names = {"--target", "--cluster"},
            paramLabel = "CLUSTER",
            description = "run there and nowhere else")
    @Nullable
    String target;

    @Option(names = "--make", paramLabel = "SCRIPT", description = "build step, run where the job will run, before it")
    @Nullable
    String make;

    @Option(names = "--env", paramLabel = "K=V", description = "variable for the script; may be repeated")
    @Nullable
    Map<String, String> environment;

    @ArgGroup(exclusive = false, heading = "%nA job that can be saved, so that giving way costs it little:%n")
    @Nullable
    CheckpointOptions saving;

    /** How the job is saved when it must give way. */
    static final class CheckpointOptions {

        @Option(
                names = "--checkpoint",
                paramLabel = "METHOD",
                description = "application (default), native or criu",
                required = false)
        @Nullable
        String method;

        @Option(
                names = "--checkpoint-signal",
                paramLabel = "SIGNAL",
                description = "what tells the application to save itself, e.g. USR1")
        @Nullable
        String signal;

        @Option(
                names = "--checkpoint-marker",
                paramLabel = "FILE",
                description = "what it makes below the job's directory when it has")
        @Nullable
        String marker;

        @Option(
                names = "--checkpoint-grace",
                paramLabel = "TIME",
                description = "how long that may take: minutes, MM:SS, HH:MM:SS, or PT30S")
        @Nullable
        String grace;

        @Option(
                names = "--checkpoint-late",
                paramLabel = "WHAT",
                description = "if it takes longer: leave (it runs on; default), wait, or requeue")
        @Nullable
        String ifLate;

        private void into(final ObjectNode checkpoint) {
            put(checkpoint, "method", method);
            put(checkpoint, "signal", signal);
            put(checkpoint, "marker", marker);
            put(checkpoint, "grace", grace);
            put(checkpoint, "ifLate", ifLate);
        }
    }

    @Option(
            names = "--software",
            paramLabel = "NAME",
            split = ",",
            description = "software it needs; each cluster loads its own modules for it")
    @Nullable
    List<String> software;

    @Option(
            names = "--strict",
            description = "no cluster may leave out an option of the script that it has no equivalent for")
    boolean strict;

    @Option(
            names = "--dry-run",
            description = "show how each cluster would take the job, and what would be lost; submit nothing")
    boolean dryRun;

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "repeating it with the same job gives the same job")
    @Nullable
    String key;

    @Option(names = "--wait", description = "wait until the job is over, and exit as it did")
    boolean wait;

    @Option(names = "--json", description = "print the service's answer instead of the bare id")
    boolean json;

    @Parameters(paramLabel = "SCRIPT | COMMAND", arity = "1..*")
    List<String> words;

    private final Terminal terminal;

    Mgsub(final Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws CommandException {
        final Settings settings = Settings.read(System.getenv());
        final ObjectNode job = job(settings.cluster());
        final ApiClient api = new ApiClient(settings);
        if (dryRun) {
            return dryRun(api.post("/jobs/dry-run", job, Map.of()));
        }
        final JsonNode accepted = api.post("/jobs", job, key == null ? Map.of() : Map.of("Idempotency-Key", key));
        final String id = accepted.path("id").asText();
        System.out.println(json ? Json.pretty(accepted) : id);
        System.out.flush();
        accepted.path("notes")
                .forEach(remark -> System.err.println("mgsub: note: " + TerminalText.printable(remark.asText())));
        return wait ? new WaitForJob(api, terminal).until(id) : ExitCode.OK;
    }

    private int dryRun(final JsonNode found) {
        final DryRunText shown = new DryRunText(found, terminal);
        if (json) {
            System.out.println(Json.pretty(found));
        } else {
            shown.lines().forEach(System.out::println);
        }
        return shown.exitCode();
    }

    ObjectNode job(final String cluster) throws CommandException {
        final ObjectNode job = Json.object();
        put(job, "name", name);
        script(job);
        if (cores != null) {
            job.put("cores", cores);
        }
        if (nodes != null) {
            job.put("nodes", nodes);
        }
        if (memory != null) {
            job.put("memoryMib", MemorySize.mib(memory));
        }
        if (gpus != null) {
            job.put("gpus", gpus);
        }
        put(job, "walltime", walltime);
        put(job, "partition", partition);
        put(job, "project", project);
        put(job, "target", target);
        put(job, "make", make == null ? null : JobFiles.script(make));
        if (environment != null) {
            final ObjectNode variables = job.putObject("environment");
            environment.forEach(variables::put);
        }
        if (saving != null) {
            saving.into(job.putObject("checkpoint"));
        }
        if (software != null) {
            software.forEach(job.putArray("software")::add);
        }
        if (strict) {
            job.put("strict", true);
        }
        job.put("source", cluster);
        job.put("directory", JobFiles.directory(directory));
        return job;
    }

    /** What follows "--" is a command line; the service writes the script for it, so there is one place that quotes. */
    private void script(final ObjectNode job) throws CommandException {
        if (spec.commandLine().getParseResult().originalArgs().contains("--")) {
            if (walltime == null) {
                throw new CommandException(ExitCode.USAGE, "a command needs the limit of its run: -t TIME, e.g. -t 1:30:00");
            }
            words.forEach(job.putArray("command")::add);
            if (cores == null) {
                job.put("cores", 1);
            }
            return;
        }
        if (words.size() > 1) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "one SCRIPT, got " + words + "; a command line follows '--': mgsub [options] -- COMMAND ARGUMENTS");
        }
        job.put("script", JobFiles.script(words.getFirst()));
        if (name == null && !words.getFirst().equals("-")) {
            job.put("scriptName", JobFiles.name(words.getFirst()));
        }
    }

    private static void put(final ObjectNode job, final String field, final @Nullable String value) {
        if (value != null) {
            job.put(field, value);
        }
    }
}
