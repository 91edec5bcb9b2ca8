package io.millrace.agent.domain;

import java.time.Duration;
import java.time.Instant;

/**
 * When the workload manager is polled next.
 *
 * @param regular if nothing happens
 * @param afterEvents if the workload manager reports events
 * @param afterCommands if commands have changed the queue; in the past if there were few polls
 */
public record PollSchedule(Instant regular, Instant afterEvents, Instant afterCommands) {

    /** Before the first poll. */
    public static final PollSchedule NOW = new PollSchedule(Instant.MIN, Instant.MIN, Instant.MIN);

    private static final Duration MIN_PAUSE = Duration.ofMillis(500);

    /** Polls caused by events or commands take at most one part in this many of the time. */
    private static final int SHARE = 4;

    /** Unused time that polls after commands may use later, so that they are delayed only under load. */
    private static final Duration MAX_SAVED = Duration.ofSeconds(1);

    /**
     * The schedule after a poll. Events and commands bring the next poll forward, but polls never take a large part of the workload manager's
     * time. While it does not answer, they have no effect.
     */
    public PollSchedule after(
            final Instant startedAt, final Instant ended, final Duration pause, final boolean answered) {
        final Instant regular = ended.plus(pause);
        if (!answered) {
            return new PollSchedule(regular, regular, regular);
        }
        final Duration used = Duration.between(startedAt, ended).multipliedBy(SHARE);
        final Instant saved = startedAt.minus(MAX_SAVED);
        return new PollSchedule(
                regular,
                earlier(regular, later(startedAt.plus(used), ended.plus(MIN_PAUSE))),
                earlier(regular, later(afterCommands, saved).plus(used)));
    }

    private static Instant later(final Instant one, final Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Instant earlier(final Instant one, final Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /**
     * @param commands whether commands may have changed the queue since the last poll
     * @param events whether the workload manager has reported events since then
     */
    public Instant next(final boolean commands, final boolean events) {
        if (commands) {
            return afterCommands;
        }
        return events ? afterEvents : regular;
    }
}
