package io.millrace.agent.domain;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The walltime of the next run after a checkpoint: the unused rest plus the cost of the restart. With the whole limit, every plan would
 * assume that the job runs too long.
 */
public final class RemainingWalltime {

    private RemainingWalltime() {}

    /**
     * @param running the job at the time of the checkpoint
     * @param saved time of the checkpoint; later work is repeated
     * @param restartCost time the application needs to read its checkpoint
     * @param longest walltime limit of its partition; null: none
     * @return the limit to set, in whole seconds; empty if it stays unchanged
     */
    public static Optional<Duration> of(
            final JobObserved running,
            final Instant saved,
            final Duration restartCost,
            final @Nullable Duration longest) {
        final Duration whole = running.walltime();
        if (whole == null || !(running.state() instanceof JobState.Running run)) {
            return Optional.empty();
        }
        final Duration used = Duration.between(run.startedAt(), saved);
        final Duration left = (used.isNegative() ? whole : positive(whole.minus(used))).plus(restartCost);
        final Duration next = longest == null ? left : shorter(left, longer(whole, longest));
        final Duration seconds = Duration.ofSeconds(next.plusNanos(999_999_999).toSeconds());
        return seconds.isZero() || seconds.equals(whole) ? Optional.empty() : Optional.of(seconds);
    }

    private static Duration positive(final Duration time) {
        return time.isNegative() ? Duration.ZERO : time;
    }

    private static Duration shorter(final Duration a, final Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration longer(final Duration a, final Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
