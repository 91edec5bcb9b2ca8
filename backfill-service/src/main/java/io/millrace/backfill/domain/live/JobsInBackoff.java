package io.millrace.backfill.domain.live;

import io.millrace.model.JobKey;
import io.millrace.model.view.RetryPolicy.Pause;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Jobs that were answered lately: they may rest, and time or a revision ends that. */
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

    /** When the first pause ends; empty if only news can end one. */
    Optional<Instant> firstRetry() {
        return Optional.ofNullable(firstRetry);
    }
}
