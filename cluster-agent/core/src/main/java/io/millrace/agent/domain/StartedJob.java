package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import java.util.Optional;

/** The job of the queue that an action starts, releases or continues. */
public final class StartedJob {

    private StartedJob() {}

    public static Optional<JobKey> of(final Action action) {
        return switch (action) {
            case Action.Start start -> Optional.of(start.job());
            case Action.Release release -> Optional.of(release.job());
            case Action.Resume resume -> Optional.of(resume.job());
            case Action.Reclaim reclaim -> Optional.of(reclaim.beneficiary());
            case Action.Submit submit -> Optional.empty();
            case Action.Make make -> Optional.empty();
            case Action.DryRun dryRun -> Optional.empty();
            case Action.Hold hold -> Optional.empty();
            case Action.Requeue requeue -> Optional.empty();
            case Action.Suspend suspend -> Optional.empty();
            case Action.Checkpoint checkpoint -> Optional.empty();
            case Action.Signal signal -> Optional.empty();
            case Action.Cancel cancel -> Optional.empty();
            case Action.AlterWalltime alter -> Optional.empty();
            case Action.AlterPending alter -> Optional.empty();
            case Action.SetTier tier -> Optional.empty();
            case Action.SetPartitions choice -> Optional.empty();
            case Action.SetLimit limit -> Optional.empty();
            case Action.CopyTree copy -> Optional.empty();
            case Action.StopCopy stop -> Optional.empty();
            case Action.RemoveCopy remove -> Optional.empty();
        };
    }
}
