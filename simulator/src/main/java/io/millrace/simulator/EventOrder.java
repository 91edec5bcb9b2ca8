package io.millrace.simulator;

/** The order of events in the same second, and when the planner runs. */
public enum EventOrder {
    /** Completions, then submissions, then one pass. */
    PASS_PER_INSTANT,
    /**
     * The order of the simulator pyss: submissions in the order of the file, then completions in the order of the starts, then starts. A
     * pass after every completion, and after every submission that fits the free processors. The processors of a job whose requested time
     * is over count as free before its completion.
     */
    PYSS
}
