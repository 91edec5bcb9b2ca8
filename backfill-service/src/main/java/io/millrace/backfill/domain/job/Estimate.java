package io.millrace.backfill.domain.job;

/** The source of run time estimates. Only {@link #REQUESTED} is an upper bound, so promise 5 holds only with it. */
public enum Estimate {
    /** The requested walltime. */
    REQUESTED,
    /** The true run time; known only in simulations. */
    ACTUAL,
    /** The mean of the user's last two run times (Tsafrir, Etsion, Feitelson 2007), at most the walltime. */
    RECENT2,
    /** A quantile of the past run times of the job's class, at most the walltime; without a class, {@link #RECENT2}. */
    CLASS,
    /** The estimate that classifier-service published for the job, at most the walltime; without one, {@link #RECENT2}. */
    PUBLISHED;

    /** Whether estimates change when runs are added to the history. */
    public boolean changesWithHistory() {
        return this == RECENT2 || this == CLASS || this == PUBLISHED;
    }
}
