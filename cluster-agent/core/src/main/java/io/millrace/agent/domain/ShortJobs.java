package io.millrace.agent.domain;

import io.millrace.model.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * Whether short jobs seem to run, so that polls without event files come sooner: a job of a few seconds would otherwise leave its cores idle
 * for as long as it ran. A delay of one poll interval matters little to jobs that run for several.
 *
 * @param until when the last change is too long ago
 */
public record ShortJobs(Instant until) {

    public static final ShortJobs NONE = new ShortJobs(Instant.MIN);

    private static final int INTERVALS = 4;

    /**
     * The same after a poll.
     *
     * @param before free resources before
     * @param free free resources now
     * @param waits whether jobs wait for a start by Millrace
     */
    public ShortJobs after(
            final Resources before,
            final Resources free,
            final boolean waits,
            final Instant at,
            final Duration pollInterval) {
        return waits && !free.equals(before) ? new ShortJobs(at.plus(pollInterval.multipliedBy(INTERVALS))) : this;
    }

    public boolean mayEnd(final Instant now) {
        return now.isBefore(until);
    }
}
