package io.millrace.agent.torque.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsSize;
import io.millrace.agent.pbs.QsubCommand;
import io.millrace.agent.script.SubmissionScript;
import io.millrace.agent.torque.query.JobVariables;
import io.millrace.agent.torque.query.NodeSpec;
import io.millrace.agent.torque.query.TorqueErrors;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.TaskLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code qsub}: submits a job as its owner, with a hold and with the attempt as a variable. The result is the job's id.
 *
 * @param translation the submission translated for this workload manager
 * @param largestNodeCores cores of the largest node
 */
record Qsub(TorqueSite site, Submission submission, SubmissionScript translation, int largestNodeCores, String nonce)
        implements QsubCommand {

    @Override
    public List<String> argv() {
        final JobSpec spec = submission.spec();
        final List<String> argv = new ArrayList<>(List.of(
                site.program("qsub"),
                "-h", // the only hold type that qsub allows; replaced by Millrace's own hold right after the submission
                "-N",
                JobVariables.shortName(spec.name()),
                "-r",
                "y",
                "-m",
                "n",
                "-S",
                "/bin/bash",
                "-j",
                "oe",
                "-o",
                "/dev/null", // the script itself writes its output to the job's directory; nothing is spooled or mailed
                "-l",
                "walltime=" + PbsDuration.write(spec.walltime())));
        argv.addAll(allowsAnyNodes() ? spread(spec.resources()) : translation.resources());
        argv.addAll(List.of("-v", tags(spec)));
        if (site.checkpoints()) {
            argv.addAll(List.of("-c", "enabled"));
        }
        if (spec.partition() != null) {
            argv.addAll(List.of("-q", spec.partition().value()));
        }
        if (spec.project() != null) {
            argv.addAll(List.of("-A", spec.project().value()));
        }
        argv.addAll(translation.options());
        return argv;
    }

    /** Whether the submission does not specify the distribution of cores over nodes. */
    private boolean allowsAnyNodes() {
        final TaskLayout layout = translation.layout();
        return submission.spec().resources().nodes() == 0
                && layout.nodes() == 0
                && layout.tasksPerNode() == 0
                && layout.coresPerTask() == 1
                && layout.features().isEmpty()
                && !layout.exclusive();
    }

    private List<String> spread(final Resources wanted) {
        return List.of(
                "-l",
                "nodes=" + NodeSpec.of(wanted.cores(), 0, largestNodeCores, wanted.gpus())
                        + (wanted.memoryMib() > 0 ? ",mem=" + PbsSize.ofMib(wanted.memoryMib()) : ""));
    }

    private String tags(final JobSpec spec) {
        return JobVariables.ATTEMPT + "=" + submission.attempt() + "," + JobVariables.NAME + "="
                + JobVariables.encode(spec.name()) + ","
                + JobVariables.DIRECTORY + "=" + JobVariables.encode(submission.directory())
                + (allowsAnyNodes() ? "," + JobVariables.SPREAD + "=any" : "");
    }

    String batchScript() {
        return SignalForwardingScript.around(translation.script(nonce), submission.directory(), nonce);
    }

    @Override
    public byte[] input() {
        return batchScript().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Map<String, String> environment() {
        return site.commandEnvironment();
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        return result.succeeded() ? QsubCommand.jobId(result) : TorqueErrors.of("qsub", result, Answer.Kind.REJECTED);
    }
}
