package io.millrace.script.wrapper;

import io.millrace.model.AttemptId;

/**
 * The file in the job's directory to which all runs of a job without a number and a file of its own append, such as those of
 * {@code millrace-agent accept}. Its name contains the id of the global job, because local ids of several clusters are the same and results of
 * all clusters arrive in one directory.
 */
public final class OutputFile {

    private OutputFile() {}

    public static String of(final AttemptId attempt) {
        return of(attempt, "");
    }

    /** @param task what distinguishes the tasks of an array, in the syntax of the workload manager */
    public static String of(final AttemptId attempt, final String task) {
        return "millrace-" + attempt.job() + task + ".out";
    }
}
