package io.millrace.agent.slurm;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code sbatch}: hands a job in, held and tagged; run with the rights of its owner. The answer is the local id. */
record Sbatch(SlurmSite site, Submission submission, String nonce) implements CommandLine<String> {

    private static final Pattern ID = Pattern.compile("(\\d+)(;.*)?");

    @Override
    public List<String> argv() {
        final JobSpec spec = submission.spec();
        final Resources wanted = spec.resources();
        final List<String> argv = new ArrayList<>(List.of(
                "sbatch",
                "--parsable",
                "--hold",
                "--requeue",
                "--comment=" + submission.attempt(),
                "--job-name=" + spec.name(),
                "--chdir=" + submission.directory(),
                "--output=millrace-%j.out",
                "--open-mode=append", // a requeued job goes on in the same file
                "--export=NONE", // a fresh login environment, nothing of the agent's
                "--time=" + Durations.write(spec.walltime()),
                "--ntasks=" + wanted.cores()));
        if (wanted.nodes() > 0) {
            argv.add("--nodes=" + wanted.nodes());
        }
        if (wanted.memory_mib() > 0) {
            argv.add("--mem-per-cpu=" + Math.ceilDiv(wanted.memory_mib(), wanted.cores()) + "M");
        }
        if (wanted.gpus() > 0) {
            argv.add("--gpus=" + wanted.gpus());
        }
        if (spec.partition() != null) {
            argv.add("--partition=" + spec.partition());
        }
        if (spec.project() != null) {
            argv.add("--account=" + spec.project());
        }
        return argv;
    }

    @Override
    public byte[] input() {
        final Map<String, String> variables = new HashMap<>(submission.spec().environment());
        variables.put("MILLRACE_CLUSTER", site.cluster().value());
        variables.put("MILLRACE_ATTEMPT", submission.attempt().toString());
        variables.put(
                "MILLRACE_CORES", Integer.toString(submission.spec().resources().cores()));
        return JobScript.of(submission.spec().script(), variables, nonce).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Map<String, String> environment() {
        return site.acting();
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
            return Complaint.of("sbatch", result, Answer.Kind.REJECTED);
        }
        final Matcher id = ID.matcher(result.outputText().strip());
        return id.matches()
                ? Answer.ok(id.group(1))
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "sbatch printed no job id: '" + result.outputText().strip() + "'");
    }
}
