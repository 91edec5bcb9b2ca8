package io.millrace.classifier.domain.estimate;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.model.policy.Classified;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The run time estimates of jobs, which learn from ended runs. A job keeps its first estimate, because a plan that follows each ended job
 * would never settle. A job that was preempted and resumed counts as one run.
 */
public final class JobEstimates {

    private final RunTimeEstimator estimator;
    private final Map<JobKey, Long> saved_s = new HashMap<>();

    public JobEstimates(final RunTimeEstimator estimator) {
        this.estimator = estimator;
    }

    /** @param classes of the job; its runs are learned under the first one */
    public void ended(final RunEnded end, final List<String> classes) {
        final long ran_s = end.startedAt() == null
                ? 0
                : Math.max(0, Duration.between(end.startedAt(), end.endedAt()).toSeconds());
        final long lost_s = end.lostCoreSeconds() / Math.max(1, end.resources().cores());
        final long before_s = saved_s.getOrDefault(end.job(), 0L);
        saved_s.remove(end.job());
        switch (end.outcome()) {
            case RunOutcome.Requeued r -> {
                if (before_s > 0) {
                    saved_s.put(end.job(), before_s);
                }
            }
            case RunOutcome.Checkpointed c -> saved_s.put(end.job(), before_s + Math.max(0, ran_s - lost_s));
            case RunOutcome.Continued c -> saved_s.put(c.continuedAs(), before_s + Math.max(0, ran_s - lost_s));
            case RunOutcome.NodeFailed n -> {
                // Its length says nothing about the job.
            }
            case RunOutcome.Preempted p -> {
                // Likewise.
            }
            case RunOutcome.OutOfMemory o -> learn(end, classes, before_s + ran_s);
            case RunOutcome.Exited e -> learn(end, classes, before_s + ran_s);
            case RunOutcome.Signalled s -> learn(end, classes, before_s + ran_s);
            case RunOutcome.Cancelled c -> learn(end, classes, before_s + ran_s);
            case RunOutcome.TimedOut t -> learn(end, classes, before_s + ran_s);
            case RunOutcome.Unknown u -> learn(end, classes, before_s + ran_s);
        }
    }

    private void learn(final RunEnded end, final List<String> classes, final long run_s) {
        if (end.startedAt() != null) {
            estimator.ended(
                    profile(end.owner().value(), end.name(), end.resources().cores(), end.walltime(), classes), run_s);
        }
    }

    /**
     * Adds the estimate of a job to its classification.
     *
     * @param before what is published of the job; null: nothing
     */
    public Classified complete(final Classified now, final @Nullable Classified before, final JobObserved job) {
        return complete(
                now,
                before,
                profile(job.owner().value(), job.name(), job.resources().cores(), job.walltime(), now.classes()));
    }

    /** As for a local job. */
    public Classified complete(final Classified now, final @Nullable Classified before, final JobSubmitted job) {
        final JobSpec spec = job.spec();
        return complete(
                now,
                before,
                profile(
                        job.owner().value(),
                        Objects.requireNonNullElse(spec.name(), ""),
                        spec.resources().cores(),
                        spec.walltime(),
                        now.classes()));
    }

    private Classified complete(final Classified now, final @Nullable Classified before, final JobProfile profile) {
        return now.withEstimate(
                before != null && before.estimate() != null
                        ? before.estimate()
                        : estimator.estimate(profile).orElse(null));
    }

    private static JobProfile profile(
            final String user,
            final String program,
            final int cores,
            final @Nullable Duration walltime,
            final List<String> classes) {
        return new JobProfile(
                user,
                program,
                cores,
                walltime == null ? 0 : walltime.toSeconds(),
                classes.isEmpty() ? "" : classes.getFirst());
    }
}
