package io.millrace.agent.wlm;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.job.JobSpec;
import java.util.List;
import java.util.Map;

/**
 * A job to be handed in, held with {@code HoldKind.SUBMISSION}.
 *
 * @param attempt the tag by which the job is found again, in the queue and among the ended
 * @param owner runs as this user
 * @param directory absolute path where the job runs; standard output and error go to {@code millrace-<job id>.out} in it
 * @param modules by name of a software, the environment modules of this cluster to load for it
 */
public record Submission(
        AttemptId attempt, UserName owner, JobSpec spec, String directory, Map<String, List<String>> modules) {

    public Submission {
        if (!directory.startsWith("/") || directory.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("'" + directory + "' is not an absolute path");
        }
        modules = Map.copyOf(modules);
    }

    /** On a cluster that names no modules. */
    public Submission(final AttemptId attempt, final UserName owner, final JobSpec spec, final String directory) {
        this(attempt, owner, spec, directory, Map.of());
    }

    /**
     * The key of a job that was handed in. Once its id was said there is a job: what goes wrong afterwards must not read as "nothing was
     * done".
     *
     * @param command which said it, e.g. {@code sbatch}
     */
    public static Answer<JobKey> accepted(final String command, final String id, final Answer<JobKey> key) {
        return switch (key) {
            case Answer.Ok<JobKey> ok -> ok;
            case Answer.Trouble<JobKey> trouble ->
                Answer.trouble(
                        Answer.Kind.TIMEOUT, command + " accepted job " + id + ", but then: " + trouble.because());
        };
    }
}
