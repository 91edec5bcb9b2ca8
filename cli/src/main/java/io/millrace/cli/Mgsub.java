package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Json;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.DryRunText;
import io.millrace.cli.text.MemorySize;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import io.millrace.model.IdempotencyKey;
import io.millrace.script.JobSetting;
import io.millrace.script.directive.ExportRules;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
        customSynopsis = {
            "mgsub [options] [SCRIPT [ARGUMENTS...]]",
            "       mgsub [options] -- COMMAND ARGUMENTS...",
            "       mgsub [options] --wrap COMMAND"
        },
        description = {
            "Submits a job to all clusters and prints its id; with --array or --directories, a batch of jobs.",
            "SCRIPT is a job script; - reads it from standard input. What follows it are its arguments. COMMAND runs"
                    + " without a shell.",
            "Directives in the script (#SBATCH, #PBS, #BSUB) apply unless an option overrides them.",
            "All options of sbatch are possible, see below."
        },
        exitCodeListHeading = "Exit codes (with --wait: the exit code of the job):%n",
        exitCodeList = {
            "0:accepted",
            "1:with --wait: the job was aborted, stopped or killed; with --dry-run: no cluster accepts the job",
            "2:invalid options or arguments, or an invalid job",
            "3:not authorised",
            "4:file or directory not found",
            "5:the service is not reachable"
        },
        footerHeading = "%nOther options of sbatch, for scripts of every workload manager:%n",
        footer = {
            "  -n, --ntasks, -c, --cpus-per-task, -N, --nodes, --ntasks-per-node, --mem, --mem-per-cpu, --gpus, -G,",
            "  --gpus-per-node, --gpus-per-task, --gres, -C, --constraint, --exclusive, -L, --licenses, -p,"
                    + " --partition,",
            "  -q, --qos, --reservation, -w, --nodelist, -x, --exclude, -b, --begin, --signal, --requeue, --mail-type,",
            "  --mail-user, --nice and the others of sbatch(1). Each means what it means in an #SBATCH line."
        })
class Mgsub implements Callable<Integer> {

    @Spec
    CommandSpec spec;

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "total number of cores (default: from the script or from -n, -c and -N, otherwise 1)")
    @Nullable
    Integer cores;

    @Option(
            names = {"-t", "--time", "--walltime"},
            paramLabel = "TIME",
            description = "maximum run time: minutes, [D-]HH:MM:SS or PT1H30M; required unless the script sets it")
    @Nullable
    String walltime;

    @Option(
            names = {"-J", "--job-name", "--name"},
            paramLabel = "NAME",
            description = "job name (default: from the script, otherwise the name of the file or program)")
    @Nullable
    String name;

    @Option(
            names = {"-D", "--chdir", "--directory"},
            paramLabel = "DIR",
            description = "working directory of the job (default: the current directory)")
    @Nullable
    String directory;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description =
                    "file of standard output in the working directory; %%j: job id, %%x: job name, %%u: user, %%N:"
                            + " cluster (default: millrace-%%j.out)")
    @Nullable
    String output;

    @Option(
            names = {"-e", "--error"},
            paramLabel = "FILE",
            description = "file of standard error in the working directory (default: with the output)")
    @Nullable
    String error;

    @Option(
            names = {"-i", "--input"},
            paramLabel = "FILE",
            description = "file of standard input in the working directory (default: empty)")
    @Nullable
    String input;

    @Option(names = "--memory", paramLabel = "SIZE", description = "total memory in MiB, or with a unit (K, M, G, T)")
    @Nullable
    String memory;

    @Option(
            names = {"-A", "--account", "--project"},
            paramLabel = "NAME",
            description = "project to charge")
    @Nullable
    String project;

    @Option(
            names = "--wrap",
            paramLabel = "COMMAND",
            description = "submit this command line of a shell instead of a script")
    @Nullable
    String wrap;

    @Option(
            names = "--make",
            paramLabel = "SCRIPT",
            description = "build script; runs before the job on the same cluster")
    @Nullable
    String make;

    @Option(
            names = "--export",
            paramLabel = "RULES",
            description = "variables of this shell for the job, as of sbatch: ALL, NONE, NAME, NAME=VALUE, separated by"
                    + " commas (default: from the script, otherwise NONE)")
    @Nullable
    String export;

    @Option(names = "--env", paramLabel = "K=V", description = "environment variable of the job; may be repeated")
    @Nullable
    Map<String, String> environment;

    @ArgGroup(
            exclusive = false,
            heading = "%nCheckpoint options. A job with a checkpoint loses little work when it is preempted:%n")
    @Nullable
    CheckpointOptions checkpoint;

    @ArgGroup(
            multiplicity = "0..*",
            heading = "%nFiles that are copied if the job runs on another cluster. Patterns are those of rsync; the"
                    + " first that matches decides:%n")
    List<FilterRuleOption> filter = new ArrayList<>();

    @Mixin
    TargetOptions targets = new TargetOptions();

    @Mixin
    BatchOptions batch = new BatchOptions();

    @Option(
            names = "--software",
            paramLabel = "NAME",
            split = ",",
            description = "required software; each cluster loads its modules for it")
    @Nullable
    List<String> software;

    @Option(names = "--strict", description = "refuse clusters that would ignore an option of the script")
    boolean strict;

    @Option(
            names = {"--dry-run", "--test-only"},
            description = "show for each cluster whether it accepts the job, with the submission command and ignored"
                    + " options; submit nothing")
    boolean dryRun;

    @Option(
            names = "--idempotency-key",
            paramLabel = "KEY",
            description = "submitting the same job with the same key again returns the existing job")
    @Nullable
    String key;

    @Option(
            names = {"-W", "--wait"},
            description = "wait until the job has finished and exit with its exit code")
    boolean wait;

    @Option(names = "--json", description = "print the response as JSON instead of the job number")
    boolean json;

    @Parameters(
            paramLabel = "SCRIPT | COMMAND",
            arity = "0..*",
            description = "job script (default: standard input), or command with arguments")
    List<String> words = List.of();

    private static final String STANDARD_INPUT = "-";
    private static final int BATCH_TRIES = 3;
    static final Pattern DIRECTIVES = Pattern.compile("(?m)^#(SBATCH|PBS|BSUB)\\b");

    private final Terminal terminal;
    private final Map<String, String> shell;

    /** Words of options of sbatch. */
    private List<String> sbatch = List.of();

    /** @param shell variables of the submitting shell */
    Mgsub(final Terminal terminal, final Map<String, String> shell) {
        this.terminal = terminal;
        this.shell = shell;
    }

    /** Takes the options of sbatch from a command line, and returns the others. */
    String[] withoutSbatchOptions(final CommandSpec own, final String... words) throws CommandException {
        final List<String> all = new ArrayList<>(ofEnvironment(shell));
        all.addAll(List.of(words));
        final SbatchOptions divided = SbatchOptions.of(own, all);
        sbatch = divided.sbatch();
        return divided.own().toArray(String[]::new);
    }

    /** Options that variables of the shell set. */
    List<String> ofEnvironment(final Map<String, String> variables) {
        return List.of();
    }

    @Override
    public Integer call() throws CommandException {
        final Settings settings = Settings.read(shell);
        final ObjectNode job = job(settings.cluster());
        final ApiClient api = new ApiClient(settings);
        if (dryRun) {
            return dryRun(api.post("/jobs/dry-run", job, Map.of()));
        }
        final JsonNode accepted = submit(api, job);
        accepted(accepted);
        System.out.flush();
        return wait
                ? new WaitForJob(api, terminal, spec.name())
                        .until(accepted.path("number").asText())
                : ExitCode.OK;
    }

    /** Prints the answer to a submission. */
    void accepted(final JsonNode accepted) {
        Printer.block(json ? Json.pretty(accepted) : accepted.path("number").asText());
        accepted.path("notes").forEach(note -> Printer.err("mgsub: note: " + TerminalText.printable(note.asText())));
    }

    /** The time limit that is requested, unless the script does; null for none. */
    @Nullable
    String walltime(final String script) {
        return walltime;
    }

    /** The rules for variables if neither an option nor the script has any; null: no variables. */
    @Nullable
    String exportWithoutRules() {
        return null;
    }

    /** A batch has a key, so that it is complete if the request is repeated. */
    JsonNode submit(final ApiClient api, final ObjectNode job) throws CommandException {
        final boolean several = batch.isBatch(job.path("script").asText());
        final String once = key == null && several ? UUID.randomUUID().toString() : key;
        final Map<String, String> headers = once == null ? Map.of() : Map.of(ApiClient.IDEMPOTENCY_KEY, once);
        for (int tries = 1; several && tries < BATCH_TRIES; tries++) {
            try {
                return api.post("/batches", job, headers);
            } catch (final CommandException e) {
                if (e.exitCode() != ExitCode.UNREACHABLE) {
                    throw e;
                }
            }
        }
        return api.post(several ? "/batches" : "/jobs", job, headers);
    }

    int dryRun(final JsonNode found) throws CommandException {
        final DryRunText shown = new DryRunText(found, terminal);
        if (json) {
            Printer.block(Json.pretty(found));
        } else {
            shown.lines().forEach(Printer::out);
        }
        return shown.exitCode();
    }

    ObjectNode job(final String cluster) throws CommandException {
        if (key != null && !IdempotencyKey.isValid(key)) {
            throw new CommandException(ExitCode.USAGE, "--idempotency-key " + IdempotencyKey.RULE);
        }
        final ObjectNode job = Json.object();
        put(job, "name", name);
        script(job);
        if (cores != null) {
            job.put("cores", cores);
        }
        if (memory != null) {
            job.put("memoryMib", MemorySize.mib("--memory", memory));
        }
        put(job, "output", output);
        put(job, "error", error);
        put(job, "input", input);
        put(job, "walltime", walltime(job.path("script").asText()));
        put(job, "project", project);
        targets.putInto(job);
        FilterRuleOption.putInto(job, filter);
        put(job, "make", make == null ? null : JobFiles.script(make));
        final Map<String, String> variables = variables(job.path("script").asText());
        if (!variables.isEmpty()) {
            final ObjectNode fields = job.putObject("environment");
            variables.forEach(fields::put);
        }
        if (checkpoint != null) {
            checkpoint.putInto(job.putObject("checkpoint"));
        }
        if (software != null) {
            software.forEach(job.putArray("software")::add);
        }
        if (strict) {
            job.put("strict", true);
        }
        job.put("source", cluster);
        job.put("directory", JobFiles.directory(directory));
        options(job);
        batch.putInto(job, job.path("directory").asText());
        return job;
    }

    /** An option for the directory is sent as such, so that it outranks the directive of the script. */
    private void options(final ObjectNode job) throws CommandException {
        final String base = job.path("directory").asText();
        if (directory != null) {
            job.withArray("options").add("--chdir=" + base);
        } else if (batch.directories == null
                && DIRECTIVES.matcher(job.path("script").asText()).find()) {
            final ParsedScript read = ScriptParser.read(job.path("script").asText());
            final var named = ParsedScript.last(read.of(read.leadingDialect()), JobSetting.WorkingDirectory.class);
            if (named.isPresent()) {
                JobFiles.directory(named.get().setting().in(base));
            }
        }
        for (final String word : sbatch) {
            job.withArray("options").add(word);
        }
    }

    /** Those of this shell that the options or else the script name, then those of {@code --env}. */
    private Map<String, String> variables(final String script) throws CommandException {
        final Map<String, String> variables = new TreeMap<>();
        try {
            if (export != null) {
                variables.putAll(ExportRules.applied(ExportRules.of(export), shell));
            } else {
                // The parser of scripts is loaded only if it is needed.
                final JobSetting.@Nullable Environment ofScript =
                        DIRECTIVES.matcher(script).find()
                                ? ExportRules.ofScript(script).orElse(null)
                                : null;
                final String otherwise = exportWithoutRules();
                if (ofScript != null) {
                    variables.putAll(ExportRules.applied(ofScript, shell));
                } else if (otherwise != null) {
                    variables.putAll(ExportRules.applied(ExportRules.of(otherwise), shell));
                }
            }
        } catch (IllegalArgumentException e) {
            throw new CommandException(ExitCode.USAGE, "--export: " + e.getMessage());
        }
        if (environment != null) {
            variables.putAll(environment);
        }
        return variables;
    }

    /** Whether the words follow "--". What follows the first word is never an option of this command. */
    boolean isCommand() {
        final List<String> all = spec.commandLine().getParseResult().originalArgs();
        final int before = all.size() - words.size() - 1;
        return before >= 0 && all.get(before).equals("--");
    }

    /** Puts the script, or the command line after "--". The service writes the script of a command, so that quoting is in one place. */
    private void script(final ObjectNode job) throws CommandException {
        if (isCommand()) {
            if (walltime == null) {
                throw new CommandException(ExitCode.USAGE, "a command needs a walltime; add -t TIME, e.g. -t 1:30:00");
            }
            words.forEach(job.putArray("command")::add);
            return;
        }
        if (wrap != null) {
            if (!words.isEmpty()) {
                throw new CommandException(
                        ExitCode.USAGE, "--wrap replaces the script; remove '" + words.getFirst() + "'");
            }
            job.put("script", "#!/bin/sh\n" + wrap + "\n");
            job.put("scriptName", "wrap");
            return;
        }
        final String file = words.isEmpty() ? STANDARD_INPUT : words.getFirst();
        if (words.isEmpty() && terminal.errIsTerminal()) {
            Printer.err(spec.name() + ": reading the job script from standard input");
        }
        job.put("script", JobFiles.script(file));
        if (name == null && !file.equals(STANDARD_INPUT)) {
            job.put("scriptName", JobFiles.name(file));
        }
        if (words.size() > 1) {
            words.subList(1, words.size()).forEach(job.putArray("arguments")::add);
        }
    }

    private static void put(final ObjectNode job, final String field, final @Nullable String value) {
        if (value != null) {
            job.put(field, value);
        }
    }
}
