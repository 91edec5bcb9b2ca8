package io.millrace.agent.pbspro.command;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.QsubCommand;
import io.millrace.agent.pbspro.query.JobVariables;
import io.millrace.agent.pbspro.query.PbsErrors;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.job.JobSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code qsub}: submits a job as its owner, with a hold and with the attempt as a variable. The result is the local id.
 *
 * <p>Submits a program ({@code --}) that replaces itself with the script. A script submitted as such would run below its owner's
 * login shell. That shell ends at a signal that only the script handles, and hides which signal ended the script. The program
 * starts the login shell for its environment and leaves it by {@code exec}.
 *
 * @param options native options of the script, and those for cores, nodes, memory and GPUs
 * @param script absolute path of the wrapped script, visible on all nodes
 */
record Qsub(PbsSite site, Submission submission, List<String> options, String script) implements QsubCommand {

    /** $1 is the script. A login shell that rejects logins is replaced by bash. */
    static final String BECOME = "case ${SHELL:-} in */nologin|*/false|'') SHELL=/bin/bash;; esac;"
            + " export MILLRACE_SCRIPT=\"$1\"; exec -l \"$SHELL\" -c 'exec /bin/bash \"$MILLRACE_SCRIPT\"'";

    Qsub {
        options = List.copyOf(options);
    }

    @Override
    public List<String> argv() {
        final JobSpec spec = submission.spec();
        final List<String> argv = new ArrayList<>(List.of(
                site.program("qsub"),
                "-h",
                "-r",
                "y",
                "-N",
                JobVariables.shortName(spec.name()),
                "-j",
                "oe",
                "-o",
                "/dev/null", // the script itself appends its output to a file
                "-v",
                JobVariables.of(submission.attempt(), spec.name()),
                "-l",
                "walltime=" + PbsDuration.write(spec.walltime())));
        if (spec.partition() != null) {
            argv.addAll(List.of("-q", spec.partition().value()));
        }
        if (spec.project() != null) {
            argv.addAll(List.of(
                    site.charge() == PbsSite.Charge.PROJECT ? "-P" : "-A",
                    spec.project().value()));
        }
        argv.addAll(options);
        argv.addAll(List.of("--", "/bin/bash", "-c", BECOME, "millrace", script));
        return argv;
    }

    @Override
    public Map<String, String> environment() {
        return site.commandEnvironment();
    }

    @Override
    public Answer<String> read(final CommandResult result) {
        return result.succeeded() ? QsubCommand.jobId(result) : refused(result);
    }

    private Answer<String> refused(final CommandResult result) {
        final String queue = submission.spec().partition() == null
                ? "the default queue"
                : "partition '" + submission.spec().partition() + "'";
        final Answer<String> complaint = PbsErrors.of(
                site,
                "qsub to " + queue,
                result,
                Answer.Kind.REJECTED,
                "allow '" + submission.owner() + "' to use " + queue
                        + " (acl_users, acl_groups), and to submit from this host (flatuid or hosts.equiv)");
        // Whatever the error (e.g. 15018), nothing was submitted.
        return complaint instanceof Answer.Trouble<String> trouble
                        && (trouble.kind() == Answer.Kind.NO_SUCH_JOB || trouble.kind() == Answer.Kind.WRONG_STATE)
                ? Answer.trouble(Answer.Kind.REJECTED, trouble.reason())
                : complaint;
    }
}
