package io.millrace.agent.domain;

import java.time.Duration;
import java.time.Instant;

/**
 * When the workload manager is looked at again.
 *
 * @param regular without any news
 * @param soonest with news
 */
public record PollSchedule(Instant regular, Instant soonest) {

    /** Nothing was looked at yet. */
    public static final PollSchedule NOW = new PollSchedule(Instant.MIN, Instant.MIN);

    private static final Duration LEAST = Duration.ofMillis(500);

    /** So much of the time, at most one part in so many, news may keep the workload manager busy with our questions. */
    private static final int SHARE = 4;

    /**
     * After a look. News about a full queue come all the time: they bring looks closer together, but never so close that looking takes a
     * large part of the workload manager's time; one that does not answer is left alone for the whole pause.
     */
    public static PollSchedule after(
            final Instant began, final Instant ended, final Duration pause, final boolean answered) {
        final Instant regular = ended.plus(pause);
        final Duration rest = Duration.between(began, ended).multipliedBy(SHARE - 1L);
        final Instant soonest = ended.plus(rest.compareTo(LEAST) < 0 ? LEAST : rest);
        return new PollSchedule(regular, answered && soonest.isBefore(regular) ? soonest : regular);
    }

    public Instant next(final boolean news) {
        return news ? soonest : regular;
    }
}
