package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Protects interactive jobs: they are observed and counted, but never preempted, held, signalled or changed. Only their start is allowed,
 * alone or as the beneficiary of a reclaim.
 */
final class InteractiveJobGuard {

    private InteractiveJobGuard() {}

    /** Refuses an action that affects an interactive job other than by starting it. */
    static Optional<Result.Refused> refusal(final Action action, final LiveCluster live) {
        return affectedJobs(action).stream()
                .map(live::job)
                .filter(Objects::nonNull)
                .filter(job -> job.detail().interactive())
                .findFirst()
                .map(job -> new Result.Refused(
                        Refusal.NOT_PERMITTED, job.job() + " is an interactive job, which Millrace does not change"));
    }

    /** The jobs that the action changes in any way other than starting them. */
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
            case Action.AlterPending alter -> List.of(alter.job());
            case Action.SetTier tier -> List.of(tier.job());
            case Action.SetPartitions choice -> List.of();
            case Action.Start start -> List.of();
            case Action.Submit submit -> List.of();
            case Action.Make make -> List.of();
            case Action.CopyTree copy -> List.of();
            case Action.StopCopy stop -> List.of();
            case Action.RemoveCopy remove -> List.of();
            case Action.SetLimit limit -> List.of();
            case Action.DryRun dryRun -> List.of();
        };
    }
}
