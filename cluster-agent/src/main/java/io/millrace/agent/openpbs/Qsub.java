package io.millrace.agent.openpbs;

import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsSize;
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

/**
 * {@code qsub}: hands a job in, held and tagged; run with the rights of its owner. The answer is the job's id.
 *
 * @param largest cores of the largest node
 */
record Qsub(TorqueSite site, Submission submission, int largest, String nonce) implements CommandLine<String> {

    @Override
    public List<String> argv() {
        final JobSpec spec = submission.spec();
        final List<String> argv = new ArrayList<>(List.of(
                site.program("qsub"),
                "-h", // the only hold an owner can hand in with; exchanged at once for one that is not the owner's
                "-N",
                Tags.shortName(spec.name()),
                "-r",
                "y",
                "-m",
                "n",
                "-S",
                "/bin/bash",
                "-j",
                "oe",
                "-o",
                "/dev/null", // the script writes into the job's directory itself; nothing is spooled or mailed
                "-l",
                resources(spec),
                "-v",
                tags(spec)));
        if (site.checkpoints()) {
            argv.addAll(List.of("-c", "enabled"));
        }
        if (spec.partition() != null) {
            argv.addAll(List.of("-q", spec.partition().value()));
        }
        if (spec.project() != null) {
            argv.addAll(List.of("-A", spec.project().value()));
        }
        return argv;
    }

    private String resources(final JobSpec spec) {
        final Resources wanted = spec.resources();
        return "nodes=" + NodeSpec.of(wanted.cores(), wanted.nodes(), largest, wanted.gpus()) + ",walltime="
                + PbsDuration.write(spec.walltime())
                + (wanted.memory_mib() > 0 ? ",mem=" + PbsSize.ofMib(wanted.memory_mib()) : "");
    }

    private String tags(final JobSpec spec) {
        return Tags.ATTEMPT + "=" + submission.attempt() + "," + Tags.NAME + "=" + Tags.encode(spec.name()) + ","
                + Tags.DIRECTORY + "=" + Tags.encode(submission.directory())
                + (spec.resources().nodes() == 0 ? "," + Tags.SPREAD + "=any" : "");
    }

    String script() {
        final Map<String, String> variables = new HashMap<>(submission.spec().environment());
        variables.put("MILLRACE_CLUSTER", site.cluster().value());
        variables.put("MILLRACE_ATTEMPT", submission.attempt().toString());
        variables.put(
                "MILLRACE_CORES", Integer.toString(submission.spec().resources().cores()));
        return JobScript.of(submission.spec().script(), submission.directory(), variables, nonce);
    }

    @Override
    public byte[] input() {
        return script().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Map<String, String> environment() {
        return site.acting();
    }

    @Override
    public String directory() {
        return submission.directory();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(20);
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        final String said = result.outputText().strip();
        if (!result.succeeded()) {
            return Complaint.of("qsub", result, Answer.Kind.REJECTED);
        }
        // A site's submit filter may print its own lines before.
        final String last = said.lines().reduce("", (before, line) -> line).strip();
        return PbsId.in(last).isPresent()
                ? Answer.ok(last)
                : Answer.trouble(Answer.Kind.UNREADABLE, "qsub printed no job id: '" + Listing.cut(said) + "'");
    }
}
