package io.millrace.agent.domain;

import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import java.util.Map;
import java.util.Set;

/** Which service may issue which action. */
final class IssuerPermissions {

    private static final Map<Issuer, Set<Class<? extends Action>>> MAY = Map.of(
            Issuer.QUOTA,
            Set.of(
                    Action.Reclaim.class,
                    Action.SetTier.class,
                    Action.SetLimit.class,
                    Action.SetPartitions.class,
                    Action.Suspend.class,
                    Action.Resume.class,
                    Action.Cancel.class),
            Issuer.BACKFILL,
            Set.of(Action.Start.class, Action.Checkpoint.class, Action.Requeue.class, Action.AlterWalltime.class),
            Issuer.MIGRATION,
            Set.of(
                    Action.Submit.class,
                    Action.Make.class,
                    Action.Release.class,
                    Action.Cancel.class,
                    Action.Hold.class),
            Issuer.TRANSFER,
            Set.of(Action.CopyTree.class, Action.StopCopy.class, Action.RemoveCopy.class),
            Issuer.SUBMIT,
            Set.of(
                    Action.DryRun.class,
                    Action.AlterWalltime.class,
                    Action.AlterPending.class,
                    Action.SetPartitions.class));

    private IssuerPermissions() {}

    static boolean allows(final Issuer issuer, final Action action) {
        return MAY.getOrDefault(issuer, Set.of()).contains(action.getClass());
    }
}
