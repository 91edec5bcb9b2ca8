package io.millrace.agent.action;

import io.millrace.model.command.Action;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.ClusterAvailability;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the agent still executes while its cluster is fenced: the jobs of the cluster were placed on other clusters, so the agent only
 * ends jobs and copies, and starts nothing (ADR 28).
 */
public final class ClusterFence {

    private ClusterFence() {}

    /** @param availability null: no operator has changed it */
    public static Optional<Result.Refused> refusal(
            final @Nullable ClusterAvailability availability, final Action action) {
        if (availability == null
                || !availability.status().isFenced()
                || AgentAction.of(action).onlyEnds()) {
            return Optional.empty();
        }
        return Optional.of(new Result.Refused(
                Refusal.STALE,
                "cluster '" + availability.cluster() + "' is fenced by " + availability.author() + " since "
                        + availability.since() + " (" + availability.reason() + "); its agent only cancels jobs"));
    }
}
