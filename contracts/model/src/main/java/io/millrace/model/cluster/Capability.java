package io.millrace.model.cluster;

/** What an adapter can do beyond observe, submit and cancel, and what of it holds on this installation. */
public enum Capability {
    START,
    /** One command can start several tasks of an array. */
    START_TASKS,
    HOLD,
    REQUEUE,
    SUSPEND,
    SIGNAL,
    /** The application saves itself on a signal. */
    CHECKPOINT,
    /** The workload manager saves and restarts the job ({@code bchkpnt}, {@code checkpoint_abort}). */
    NATIVE_CHECKPOINT,
    RECLAIM,
    TRANSFER,
    ACCOUNTING,
    /** The walltime limit of a job can be changed. */
    ALTER,
    /** The workload manager itself preempts borrowed work for guaranteed work, and jobs can be moved between the two. */
    TIER,
    /** The workload manager itself keeps a limit of guaranteed cores per user. */
    LIMIT,
    /** A waiting job can be started in another partition than the one it waits in. */
    MOVE,
    /** So can a single task of an array, while the other tasks wait where they are. */
    MOVE_TASKS,
    /** A waiting job can name several partitions, and the local scheduler starts it in whichever has room for it first. */
    PARTITION_CHOICE,
    /** A submission can be translated without being made. */
    DRY_RUN
}
