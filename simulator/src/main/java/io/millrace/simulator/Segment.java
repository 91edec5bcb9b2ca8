package io.millrace.simulator;

/**
 * One run of a job, from a start to its end or cut.
 *
 * @param work_s seconds of it that brought the job forward for good: neither checkpoint nor restart, nor lost
 */
public record Segment(long start_s, long end_s, Kind kind, long work_s) {

    /** How it came about and ended. */
    public enum Kind {
        /** Started in its turn, ran to its end. */
        RUN,
        /** Started in its turn after it had held a reservation. */
        RESERVED,
        /** Started before its turn, ran to its end. */
        BACKFILLED,
        /** Cut; its work was kept. */
        CHECKPOINTED,
        /** Cut, or its nodes failed; its work was lost. */
        LOST,
        /** Went on from a checkpoint, to its end. */
        RESTARTED
    }
}
