package io.millrace.agent.observe;

import io.millrace.model.cluster.WlmHealth;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the workload manager has answered lately.
 *
 * @param lastAnsweredAt when it answered last; null: not yet in this life
 * @param failedPolls looks since then that it did not answer
 * @param unknownStates jobs and nodes in a state that the adapter does not know
 */
public record WlmStatus(WlmHealth health, @Nullable Instant lastAnsweredAt, int failedPolls, int unknownStates) {

    /** What it said, or failed to say, at the last look; null if it answered, or was not asked yet. */
    @Nullable
    public String unavailableReason() {
        return failedPolls > 0 && health instanceof WlmHealth.Stale stale ? stale.reason() : null;
    }

    WlmStatus answered(final Instant at, final int unknown) {
        return new WlmStatus(new WlmHealth.Answering(), at, 0, unknown);
    }

    WlmStatus unavailable(final WlmHealth.Stale stale) {
        return new WlmStatus(stale, lastAnsweredAt, failedPolls + 1, unknownStates);
    }
}
