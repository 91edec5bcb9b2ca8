package io.millrace.simulator;

/** What comes first at one instant. Submissions come before or after completions, as {@link EventOrder} says. */
enum EventRank {
    DISTURBANCE,
    EARLY_SUBMISSION,
    COMPLETION,
    SUBMISSION,
    START,
    TIMER;

    static final EventRank[] ALL = values();
}
