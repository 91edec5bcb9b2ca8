package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.job.JobSpec;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sbatch}: hands a job in, held and tagged; run with the rights of its owner. The answer is the local id. */
record Sbatch(SlurmSite site, Submission submission, SubmissionScript handing, String nonce)
        implements CommandLine<String> {

    private static final Pattern ID = Pattern.compile("(\\d+)(;.*)?");

    static Sbatch of(final SlurmSite site, final Submission submission, final String nonce) {
        return new Sbatch(
                site,
                submission,
                SubmissionScript.of(WlmType.SLURM, WlmFeatures.all("Slurm"), site.cluster(), submission),
                nonce);
    }

    /** Options of the script follow ours: where both speak of the same ({@code --no-requeue}), the script's word counts. */
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
                "--open-mode=append", // a requeued job goes on in the same file
                "--export=NONE", // a fresh login environment, nothing of the agent's
                "--time=" + TimeLimits.write(spec.walltime())));
        if (spec.partition() != null) {
            argv.add("--partition=" + spec.partition());
        }
        if (spec.project() != null) {
            argv.add("--account=" + spec.project());
        }
        argv.addAll(handing.resources());
        argv.addAll(handing.words());
        return argv;
    }

    /** Why this must not be handed in at all; empty if it may. */
    Optional<String> refusal() {
        if (argv().stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
            return Optional.of("the job's name or an option of its script holds a NUL, which no command line takes");
        }
        return submission.directory().indexOf('\\') >= 0
                ? Optional.of("Slurm cannot write a job's output into '" + submission.directory()
                        + "': it takes the backslash for its own; give the folder another name")
                : handing.refusal();
    }

    /** slurmd replaces {@code %j} and the like in the name of the folder too, where it puts the job's folder before the name itself. */
    private String output() {
        final String name = "millrace-" + (isArray() ? "%A_%a" : "%j") + ".out";
        return submission.directory().indexOf('%') < 0
                ? name
                : submission.directory().replace("%", "%%") + "/" + name;
    }

    private boolean isArray() {
        return handing.words().stream().anyMatch(word -> word.startsWith("--array="));
    }

    @Override
    public byte[] input() {
        return handing.input(nonce);
    }

    @Override
    public Map<String, String> environment() {
        return site.changeEnvironment();
    }

    /** sbatch enters it as the owner; where it is missing, sbatch itself says so. */
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
        return id.matches()
                ? Answer.ok(id.group(1))
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "sbatch printed no job id: '" + result.outputText().strip() + "'");
    }
}
