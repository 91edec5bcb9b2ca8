package io.millrace.agent.domain;

import java.time.Duration;
import java.time.Instant;

/**
 * When the workload manager is polled next.
 *
 * @param regular without events
 * @param soonest with events
 */
public record PollSchedule(Instant regular, Instant soonest) {

    /** Before the first poll. */
    public static final PollSchedule NOW = new PollSchedule(Instant.MIN, Instant.MIN);

    private static final Duration MIN_PAUSE = Duration.ofMillis(500);

    /** Polls caused by events take at most one part in this many of the time. */
    private static final int SHARE = 4;

    /**
     * The schedule after a poll. Events bring the next poll forward, but polls never take a large part of the workload manager's time. While it
     * does not answer, events have no effect.
     */
    public static PollSchedule after(
            final Instant startedAt, final Instant ended, final Duration pause, final boolean answered) {
        final Instant regular = ended.plus(pause);
        final Duration rest = Duration.between(startedAt, ended).multipliedBy(SHARE - 1L);
        final Instant soonest = ended.plus(rest.compareTo(MIN_PAUSE) < 0 ? MIN_PAUSE : rest);
        return new PollSchedule(regular, answered && soonest.isBefore(regular) ? soonest : regular);
    }

    public Instant next(final boolean events) {
        return events ? soonest : regular;
    }
}
