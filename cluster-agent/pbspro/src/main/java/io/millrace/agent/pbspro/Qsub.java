package io.millrace.agent.pbspro;

import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code qsub}: hands a job in, held and tagged; run with the rights of its owner. The answer is the local id.
 *
 * <p>Not the script itself is handed in but a program, {@code --}, that becomes the script: a script would be run below its owner's login
 * shell, which ends at a signal that only the script catches, and which hides by what signal the script ended. The login shell is
 * gone through all the same, for its environment, and left by {@code exec}.
 *
 * @param options native options of the script, and those for cores, nodes, memory and GPUs
 * @param script absolute path of the wrapped script, which all nodes see
 */
record Qsub(PbsSite site, Submission submission, List<String> options, String script) implements CommandLine<String> {

    /** $1 is the script. A shell that lets nobody in is no login environment. */
    static final String BECOME = "case ${SHELL:-} in */nologin|*/false|'') SHELL=/bin/bash;; esac;"
            + " export MILLRACE_SCRIPT=\"$1\"; exec -l \"$SHELL\" -c 'exec /bin/bash \"$MILLRACE_SCRIPT\"'";

    private static final int LONGEST_NAME = 60;

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
                name(spec.name()),
                "-j",
                "oe",
                "-o",
                "/dev/null", // the script sends its output where it belongs, appended
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

    /** PBS takes letters, digits and few signs; the name as it was written goes along in a variable. */
    static String name(final String name) {
        final String plain = name.replaceAll("[^A-Za-z0-9_.+-]", "_");
        final String begun = plain.isEmpty() || !plain.substring(0, 1).matches("[A-Za-z]") ? "j" + plain : plain;
        return begun.substring(0, Math.min(LONGEST_NAME, begun.length()));
    }

    @Override
    public Map<String, String> environment() {
        return site.commandEnvironment();
    }

    /** What the job sees as PBS_O_WORKDIR. */
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
        if (!result.succeeded()) {
            return refused(result);
        }
        final String id = result.outputText()
                .lines()
                .reduce((first, second) -> second)
                .orElse("")
                .strip();
        return PbsId.in(id).isPresent()
                ? Answer.ok(id)
                : Answer.trouble(Answer.Kind.UNREADABLE, "qsub printed no job id: '" + id + "'");
    }

    private Answer<String> refused(final CommandResult result) {
        final String queue = submission.spec().partition() == null
                ? "the default queue"
                : "partition '" + submission.spec().partition() + "'";
        final Answer<String> complaint = CommandErrors.of(
                site,
                "qsub to " + queue,
                result,
                Answer.Kind.REJECTED,
                "may '" + submission.owner() + "' use " + queue
                        + " (acl_users, acl_groups), and hand in jobs from this host (flatuid or hosts.equiv)?");
        // 15018 and the like: nothing was handed in, whatever the words are.
        return complaint instanceof Answer.Trouble<String> trouble
                        && (trouble.kind() == Answer.Kind.NO_SUCH_JOB || trouble.kind() == Answer.Kind.WRONG_STATE)
                ? Answer.trouble(Answer.Kind.REJECTED, trouble.because())
                : complaint;
    }
}
