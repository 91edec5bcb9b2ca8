package io.millrace.backfill.domain;

/** From what the length of a job is foreseen. Only {@link #REQUESTED} is an upper bound, and promise 5 holds only with it. */
public enum Estimate {
    /** The walltime asked for. */
    REQUESTED,
    /** The true run time: for study alone. */
    ACTUAL,
    /** The mean of the user's last two run times (Tsafrir, Etsion, Feitelson 2007), at most the walltime. */
    RECENT2,
    /** A quantile of the run times of the job's class so far, at most the walltime; without a class, {@link #RECENT2}. */
    CLASS
}
