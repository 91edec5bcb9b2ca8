package io.millrace.backfill.domain.view;

import io.millrace.decide.RetryPolicy.Pause;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Jobs with recent answers to commands: they may be in back-off, which ends with time or with a revision. */
final class JobsInBackoff {

    private final Set<JobKey> jobs = new LinkedHashSet<>();
    private @Nullable Instant firstRetry;

    void add(final JobKey job, final Optional<Pause> pause) {
        jobs.add(job);
        pause.map(Pause::until)
                .filter(until -> until.isBefore(Instant.MAX))
                .filter(until -> firstRetry == null || until.isBefore(firstRetry))
                .ifPresent(until -> firstRetry = until);
    }

    Set<JobKey> jobs() {
        return jobs;
    }

    /** When the first back-off ends; empty if none ends with time. */
    Optional<Instant> firstRetry() {
        return Optional.ofNullable(firstRetry);
    }
}
