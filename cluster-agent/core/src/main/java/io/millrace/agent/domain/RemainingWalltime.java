package io.millrace.agent.domain;

import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The walltime of a job's next run after it saved its state: what it had not used, and what its restart costs. A requeue would give it
 * the whole limit again, and every plan would take it for longer than it is.
 */
public final class RemainingWalltime {

    private RemainingWalltime() {}

    /**
     * @param running the job as it was when it was saved
     * @param saved from when on work has to be done again
     * @param restartCost how long the application takes to read its state back
     * @param longest what its partition allows, null if it has no limit
     * @return the limit to set, in whole seconds; empty if it is to be left as it is
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
