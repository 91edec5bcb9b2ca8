package io.millrace.backfill.domain;

import io.millrace.model.policy.RunTimeEstimate;
import java.time.Duration;
import java.util.Objects;

/** The source of run time estimates. Only {@link #REQUESTED} is an upper bound, so promise 5 holds only with it. */
public enum Estimate {
    /** The requested walltime. */
    REQUESTED,
    /** The true run time; known only in simulations. */
    ACTUAL,
    /** The mean of the user's last two run times (Tsafrir, Etsion, Feitelson 2007), at most the walltime. */
    RECENT2,
    /** A quantile of the past run times of the job's class, at most the walltime; without a class, {@link #RECENT2}. */
    CLASS,
    /** The estimate that classifier-service published for the job, at most the walltime; without one, {@link #RECENT2}. */
    PUBLISHED,
    /** As {@link #PUBLISHED}, with the mean of the user's last two similar jobs. */
    PUBLISHED_RECENT2,
    /** As {@link #PUBLISHED}, with the median of similar jobs. */
    PUBLISHED_P50,
    /** As {@link #PUBLISHED}, with the 0.8 quantile. */
    PUBLISHED_P80,
    /** As {@link #PUBLISHED}, with the 0.95 quantile. */
    PUBLISHED_P95;

    /** What this source takes from a published estimate. */
    public Duration of(final RunTimeEstimate published) {
        return switch (this) {
            case PUBLISHED_RECENT2 -> Objects.requireNonNullElse(published.recent2(), published.expected());
            case PUBLISHED_P50 -> published.quantile(50);
            case PUBLISHED_P80 -> published.quantile(80);
            case PUBLISHED_P95 -> published.quantile(95);
            case REQUESTED, ACTUAL, RECENT2, CLASS, PUBLISHED -> published.expected();
        };
    }
}
