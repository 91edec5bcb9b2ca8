package io.millrace.simulator;

/**
 * One run of a job, from a start to its end or preemption.
 *
 * @param work_s seconds of lasting progress: without checkpoints, restarts and lost work
 */
public record Segment(long start_s, long end_s, Kind kind, long work_s) {

    /** How it was started and ended. */
    public enum Kind {
        /** Started in order, ran to its end. */
        RUN,
        /** Started in order after holding a reservation. */
        RESERVED,
        /** Backfilled, ran to its end. */
        BACKFILLED,
        /** Preempted with a checkpoint; its work was saved. */
        CHECKPOINTED,
        /** Preempted without a checkpoint, or hit by a node fault; its work was lost. */
        LOST,
        /** Resumed from a checkpoint, ran to its end. */
        RESTARTED
    }
}
