package io.millrace.model.command;

import java.util.Set;

/** The services that may issue commands, and which; broker ACLs enforce the same list of services. */
public enum Issuer {
    QUOTA(
            Action.Reclaim.class,
            Action.SetTier.class,
            Action.SetLimit.class,
            Action.SetPartitions.class,
            Action.Suspend.class,
            Action.Resume.class,
            Action.Cancel.class),
    BACKFILL(Action.Start.class, Action.Checkpoint.class, Action.Requeue.class, Action.AlterWalltime.class),
    MIGRATION(Action.Submit.class, Action.Make.class, Action.Release.class, Action.Cancel.class, Action.Hold.class),
    TRANSFER(Action.CopyTree.class, Action.StopCopy.class, Action.RemoveCopy.class),
    /** Issues dry runs, and changes of placed jobs that their owners request. */
    SUBMIT(Action.DryRun.class, Action.AlterWalltime.class, Action.AlterPending.class, Action.SetPartitions.class);

    private final Set<Class<? extends Action>> actions;

    @SafeVarargs
    Issuer(final Class<? extends Action>... actions) {
        this.actions = Set.of(actions);
    }

    public boolean mayIssue(final Action action) {
        return actions.contains(action.getClass());
    }
}
