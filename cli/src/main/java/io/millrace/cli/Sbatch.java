package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.slurm.SlurmVersion;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;
import io.millrace.cli.text.TerminalText;
import io.millrace.script.directive.ScriptParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Submits a job, with the output and the defaults of {@code sbatch}. */
@Command(
        name = "sbatch",
        mixinStandardHelpOptions = true,
        versionProvider = SlurmVersion.class,
        customSynopsis = {"sbatch [options] [SCRIPT [ARGUMENTS...]]", "       sbatch [options] --wrap COMMAND"},
        description = {
            "Submits a job, or with --array a batch of jobs, to all clusters and prints its number.",
            "SCRIPT is a job script (default: standard input). What follows it are its arguments.",
            "Directives in the script (#SBATCH, #PBS, #BSUB) apply unless an option overrides them."
        },
        exitCodeListHeading = "Exit codes (with --wait: the exit code of the job):%n",
        exitCodeList = {"0:accepted", "1:failure"})
final class Sbatch extends Mgsub {

    /** Of a job that requests none; sbatch takes that of the partition, which is unknown before the job has a cluster. */
    private static final String DEFAULT_TIME = "1:00:00";

    /** Variables of sbatch(1) and their options. */
    private static final Map<String, String> VARIABLES = Map.ofEntries(
            Map.entry("SBATCH_ACCOUNT", "--account"),
            Map.entry("SBATCH_ARRAY_INX", "--array"),
            Map.entry("SBATCH_CLUSTERS", "--clusters"),
            Map.entry("SBATCH_CONSTRAINT", "--constraint"),
            Map.entry("SBATCH_EXPORT", "--export"),
            Map.entry("SBATCH_GPUS", "--gpus"),
            Map.entry("SBATCH_GRES", "--gres"),
            Map.entry("SBATCH_JOB_NAME", "--job-name"),
            Map.entry("SBATCH_MEM_PER_CPU", "--mem-per-cpu"),
            Map.entry("SBATCH_MEM_PER_NODE", "--mem"),
            Map.entry("SBATCH_PARTITION", "--partition"),
            Map.entry("SBATCH_QOS", "--qos"),
            Map.entry("SBATCH_RESERVATION", "--reservation"),
            Map.entry("SBATCH_TIMELIMIT", "--time"));

    @Option(names = "--parsable", description = "print only the number")
    boolean parsable;

    @Option(
            names = {"-Q", "--quiet"},
            description = "print nothing but errors")
    boolean quiet;

    Sbatch(final Terminal terminal, final Map<String, String> shell) {
        super(terminal, shell);
    }

    /** The options of the environment come first, so that those of the command line outrank them. */
    @Override
    List<String> ofEnvironment(final Map<String, String> shell) {
        final List<String> words = new ArrayList<>();
        VARIABLES.forEach((variable, option) -> {
            if (shell.containsKey(variable)) {
                words.add(option + "=" + shell.get(variable));
            }
        });
        return words;
    }

    @Override
    @Nullable
    String exportWithoutRules() {
        return "ALL";
    }

    @Override
    @Nullable
    String walltime(final String script) {
        final boolean isRequested = walltime != null
                || DIRECTIVES.matcher(script).find()
                        && ScriptParser.read(script).request().walltime() != null;
        return isRequested ? walltime : DEFAULT_TIME;
    }

    /** As sbatch, the arguments after {@code --} are a script, too. */
    @Override
    boolean isCommand() {
        return false;
    }

    @Override
    void accepted(final JsonNode accepted) {
        final String number = accepted.path("number").asText();
        if (parsable) {
            Printer.out(number);
            return;
        }
        if (!quiet) {
            Printer.out("Submitted batch job " + number);
            accepted.path("notes").forEach(note -> Printer.err("sbatch: " + TerminalText.printable(note.asText())));
        }
    }

    @Override
    int dryRun(final JsonNode found) throws CommandException {
        final List<String> possible = new ArrayList<>();
        found.path("clusters").forEach(cluster -> {
            if (cluster.path("verdict").asText().equals("accepted")) {
                possible.add(cluster.path("cluster").asText());
            }
        });
        if (possible.isEmpty()) {
            throw new CommandException(
                    ExitCode.FAILED, "no cluster accepts the job; mgsub --dry-run shows the reason of each");
        }
        Printer.err("sbatch: Job to start using "
                + found.path("job").path("cores").asText() + " processors on " + String.join(" or ", possible));
        return ExitCode.OK;
    }
}
