package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A person sits at an interactive job: it is seen and counted, never touched. To let it through Millrace's own gate, alone or as the
 * beneficiary of a reclaim, does nothing to it but what that person waits for.
 */
final class InteractiveJobGuard {

    private InteractiveJobGuard() {}

    /** Why the action must not be; null if it touches no interactive job. */
    static @Nullable String refusal(final Action action, final LiveCluster live) {
        return affectedJobs(action).stream()
                .map(live::job)
                .filter(Objects::nonNull)
                .filter(job -> job.detail().interactive())
                .findFirst()
                .map(job ->
                        job.job() + " is interactive: somebody sits at it, so it is seen and counted, never touched")
                .orElse(null);
    }

    /** The jobs to which it does anything other than let them start. */
    static List<JobKey> affectedJobs(final Action action) {
        return switch (action) {
            case Action.Reclaim reclaim -> reclaim.victims();
            case Action.Hold hold -> List.of(hold.job());
            case Action.Release release -> List.of(release.job());
            case Action.Requeue requeue -> List.of(requeue.job());
            case Action.Suspend suspend -> List.of(suspend.job());
            case Action.Resume resume -> List.of(resume.job());
            case Action.Checkpoint checkpoint -> List.of(checkpoint.job());
            case Action.Signal signal -> List.of(signal.job());
            case Action.Cancel cancel -> List.of(cancel.job());
            case Action.AlterWalltime alter -> List.of(alter.job());
            case Action.SetTier tier -> List.of(tier.job());
            case Action.SetPartitions choice -> List.of();
            case Action.Start start -> List.of();
            case Action.Submit submit -> List.of();
            case Action.Make make -> List.of();
            case Action.CopyTree copy -> List.of();
            case Action.StopCopy stop -> List.of();
            case Action.SetLimit limit -> List.of();
            case Action.DryRun dryRun -> List.of();
        };
    }
}
