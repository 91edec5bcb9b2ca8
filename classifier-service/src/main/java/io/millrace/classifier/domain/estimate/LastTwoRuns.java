package io.millrace.classifier.domain.estimate;

import io.millrace.model.policy.RunTimeEstimate;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The mean of the user's last two similar jobs, else of the user's last two jobs (Tsafrir, Etsion and Feitelson, "Backfilling using
 * system-generated predictions rather than user runtime estimates", 2007). Similar jobs have the same program, cores and walltime.
 */
public final class LastTwoRuns implements RunTimeEstimator {

    private static final int KEPT_GROUPS = 100_000;
    /** A mean says nothing about the spread, so as many jobs are expected to run longer as shorter. */
    private static final int CONFIDENCE_PERCENT = 50;

    private final RunGroups groups;

    public LastTwoRuns() {
        this(new RunGroups(2, KEPT_GROUPS));
    }

    /** @param groups with the runs of each request and each user, at least two */
    LastTwoRuns(final RunGroups groups) {
        this.groups = groups;
    }

    @Override
    public void ended(final JobProfile job, final long run_s) {
        groups.add(job.request(), run_s);
        groups.add(job.onlyUser(), run_s);
    }

    @Override
    public Optional<RunTimeEstimate> estimate(final JobProfile job) {
        final RecentRuns similar = groups.of(job.request());
        return similar == null
                ? mean(job, groups.of(job.onlyUser()), "user")
                : mean(job, similar, "user, program, cores, walltime");
    }

    private static Optional<RunTimeEstimate> mean(
            final JobProfile job, final @Nullable RecentRuns runs, final String basis) {
        if (runs == null) {
            return Optional.empty();
        }
        final long limit_s = job.requested_s() > 0 ? job.requested_s() : Long.MAX_VALUE;
        return Optional.of(new RunTimeEstimate(
                Duration.ofSeconds(Math.min(limit_s, runs.mean_s(2))),
                CONFIDENCE_PERCENT,
                Math.min(2, runs.size()),
                basis));
    }
}
