package io.millrace.agent.slurm.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.SubmitCommand;
import io.millrace.model.job.JobSpec;
import io.millrace.script.StandardStreams;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.wrapper.OutputFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sbatch}: submits a held and tagged job as its owner. The answer is the local id. */
public record Sbatch(SlurmSite site, Submission submission, SubmissionScript script, String nonce)
        implements SubmitCommand {

    private static final Pattern ID = Pattern.compile("(\\d+)(;.*)?");

    public static Sbatch of(final SlurmSite site, final Submission submission, final String nonce) {
        return new Sbatch(
                site,
                submission,
                SubmissionScript.of(WlmType.SLURM, WlmFeatures.all("Slurm"), site.cluster(), submission),
                nonce);
    }

    /** The script's own options come last, so they override the ones that Millrace sets, for example {@code --no-requeue}. */
    @Override
    public List<String> argv() {
        final JobSpec spec = submission.spec();
        final List<String> argv = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--hold",
                "--requeue",
                "--comment=" + submission.attempt(),
                "--job-name=" + spec.name(),
                "--chdir=" + submission.directory(),
                "--output=" + output(),
                "--open-mode=append", // a requeued job appends to the same file
                "--export=NONE", // a new login environment without the agent's variables
                "--time=" + TimeLimits.write(spec.walltime())));
        final StandardStreams streams = script.streams();
        if (streams.error() != null) {
            argv.add("--error=" + file(streams.error()));
        }
        if (streams.input() != null) {
            argv.add("--input=" + file(streams.input()));
        }
        if (spec.partition() != null) {
            argv.add("--partition=" + spec.partition());
        }
        if (spec.project() != null) {
            argv.add("--account=" + spec.project());
        }
        argv.addAll(script.resources());
        argv.addAll(script.options());
        return argv;
    }

    @Override
    public Optional<String> refusal() {
        return invalidArguments().or(this::invalidDirectory).or(script::refusal);
    }

    private Optional<String> invalidDirectory() {
        return submission.directory().indexOf('\\') >= 0
                ? Optional.of("Slurm cannot write job output to '" + submission.directory()
                        + "' because it removes the backslash from the path; rename the directory")
                : Optional.empty();
    }

    private String output() {
        final String output = script.streams().output();
        return output == null ? inDirectory(OutputFile.of(submission.attempt(), isArray() ? "_%a" : "")) : file(output);
    }

    private String file(final String path) {
        final String escaped = path.replace("%", "%%");
        return path.startsWith("/") ? escaped : inDirectory(escaped);
    }

    /** slurmd also expands {@code %j} and similar patterns in the directory, so each {@code %} of the directory is doubled. */
    private String inDirectory(final String name) {
        return submission.directory().indexOf('%') < 0
                ? name
                : submission.directory().replace("%", "%%") + "/" + name;
    }

    private boolean isArray() {
        return script.options().stream().anyMatch(word -> word.startsWith("--array="));
    }

    @Override
    public byte[] input() {
        return script.input(nonce);
    }

    /** sbatch would pass on its own umask, which is the agent's. slurmd creates the output file with the umask of this variable. */
    @Override
    public Map<String, String> environment() {
        final Map<String, String> environment = new HashMap<>(site.changeEnvironment());
        if (submission.umask() != null) {
            environment.put("SLURM_UMASK", submission.umask());
        }
        return environment;
    }

    /** sbatch changes to it as the owner and reports an error if it does not exist. */
    @Override
    public String directory() {
        return submission.directory();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(15);
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("sbatch", result, Answer.Kind.REJECTED);
        }
        final Matcher id = ID.matcher(result.outputText().strip());
        return jobId(id.matches() ? Optional.of(id.group(1)) : Optional.empty(), result);
    }
}
