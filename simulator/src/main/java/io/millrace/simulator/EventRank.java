package io.millrace.simulator;

/** The order of events at the same time. {@link EventOrder} decides whether submissions or completions come first. */
enum EventRank {
    DISTURBANCE,
    EARLY_SUBMISSION,
    COMPLETION,
    SUBMISSION,
    START,
    TIMER;

    static final EventRank[] ALL = values();
}
