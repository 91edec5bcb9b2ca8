package io.millrace.simulator;

/** What happens first when several things happen in the same second, and when the planner is asked. */
public enum EventOrder {
    /** Completions, then submissions, then one pass. */
    PASS_PER_INSTANT,
    /**
     * As the simulator pyss does: submissions in the order of the file, then completions in the order of the starts, then starts. A pass
     * after every completion, and after every submission that fits the free processors. A job whose requested time is over counts as
     * free before its completion is told.
     */
    PYSS
}
