package io.millrace.agent.wlm;

import io.millrace.model.AttemptId;
import io.millrace.model.UserName;
import io.millrace.model.job.JobSpec;

/**
 * A job to be handed in, held with {@code HoldKind.SUBMISSION}.
 *
 * @param attempt the tag by which the job is found again, in the queue and among the ended
 * @param owner runs as this user
 * @param directory absolute path where the job runs; standard output and error go to {@code millrace-<job id>.out} in it
 */
public record Submission(AttemptId attempt, UserName owner, JobSpec spec, String directory) {

    public Submission {
        if (!directory.startsWith("/") || directory.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("'" + directory + "' is not an absolute path");
        }
    }
}
