package io.millrace.backfill.domain;

/**
 * A waiting job with what a policy makes of it at one time.
 *
 * @param cores of the job, or of each task of its array
 * @param precedence a larger value goes first in every order
 * @param estimate_s its expected run time
 * @param length_s the length with which it is tried for backfill: its estimate, shrunk if the policy says so
 * @param recent_s the mean of its user's last two run times; 0 if no order of the policy uses it
 * @param expansion (wait + recent run time) / recent run time
 * @param tasks how many tasks of its array may still start; 1 for a single job
 */
public record WaitingJob(
        QueuedJob job,
        int cores,
        int precedence,
        long estimate_s,
        long length_s,
        long recent_s,
        double expansion,
        int tasks) {

    /** Precedence of a job that was preempted: it goes before the other jobs. */
    public static final int PREEMPTED = 1;

    /** Precedence of the job that holds the first reservation and keeps it. */
    public static final int HEAD = 2;

    /** Precedence of a job for which other jobs are preempted. */
    public static final int BENEFICIARY = 3;

    public boolean isBeneficiary() {
        return precedence == BENEFICIARY;
    }

    /** A copy with at least this precedence. */
    public WaitingJob raised(final int to) {
        return new WaitingJob(job, cores, Math.max(precedence, to), estimate_s, length_s, recent_s, expansion, tasks);
    }

    /** The tasks that are left once one has started. Tasks start in one partition, so the others no longer try another one. */
    public WaitingJob withoutOneTask() {
        return new WaitingJob(job.onlyHere(), cores, precedence, estimate_s, length_s, recent_s, expansion, tasks - 1);
    }
}
