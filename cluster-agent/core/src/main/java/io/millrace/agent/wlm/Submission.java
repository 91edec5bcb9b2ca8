package io.millrace.agent.wlm;

import io.millrace.agent.exec.Authority;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.job.JobSpec;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job to submit, held with {@code HoldKind.SUBMISSION}.
 *
 * @param attempt the tag that identifies the job in the queue and in accounting
 * @param owner the user it runs as
 * @param directory absolute path of its working directory; standard output and error go to {@code millrace-<job id>.out} in it
 * @param modules environment modules of this cluster to load, by software name
 * @param umask of its processes and output, in octal; null: the umask that the workload manager sets
 * @param authority of the owner for the submission or the dry run
 */
public record Submission(
        AttemptId attempt,
        UserName owner,
        JobSpec spec,
        String directory,
        Map<String, List<String>> modules,
        @Nullable String umask,
        Authority authority) {

    public Submission {
        if (!directory.startsWith("/") || directory.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("'" + directory + "' is not an absolute path");
        }
        modules = Map.copyOf(modules);
    }

    /** A submission to a cluster without environment modules, with the umask of the workload manager. */
    public Submission(final AttemptId attempt, final UserName owner, final JobSpec spec, final String directory) {
        this(attempt, owner, spec, directory, Map.of(), null);
    }

    /** A submission that the agent makes with its own rights, or as root. */
    public Submission(
            final AttemptId attempt,
            final UserName owner,
            final JobSpec spec,
            final String directory,
            final Map<String, List<String>> modules,
            final @Nullable String umask) {
        this(attempt, owner, spec, directory, modules, umask, Authority.CHECK);
    }

    /**
     * The key of a submitted job. Once the submit command has printed an id, the job exists, so a later failure must not be reported as if
     * nothing had been done.
     *
     * @param command the command that printed the id, e.g. {@code sbatch}
     */
    public static Answer<JobKey> accepted(final String command, final String id, final Answer<JobKey> key) {
        return switch (key) {
            case Answer.Ok<JobKey> ok -> ok;
            case Answer.Trouble<JobKey> trouble ->
                Answer.trouble(
                        Answer.Kind.TIMEOUT, command + " accepted job " + id + ", but then: " + trouble.reason());
        };
    }
}
