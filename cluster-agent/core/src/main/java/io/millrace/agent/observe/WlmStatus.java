package io.millrace.agent.observe;

import io.millrace.model.cluster.WlmHealth;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the workload manager has answered lately.
 *
 * @param lastGood when it answered last; null: not yet in this life
 * @param failedLooks looks since then that it did not answer
 * @param unknownStates jobs and nodes in a state that the adapter does not know
 */
public record WlmStatus(WlmHealth health, @Nullable Instant lastGood, int failedLooks, int unknownStates) {

    /** What it said, or failed to say, at the last look; null if it answered, or was not asked yet. */
    @Nullable
    public String silence() {
        return failedLooks > 0 && health instanceof WlmHealth.Stale stale ? stale.reason() : null;
    }

    WlmStatus answered(final Instant at, final int unknown) {
        return new WlmStatus(new WlmHealth.Answering(), at, 0, unknown);
    }

    WlmStatus silent(final WlmHealth.Stale stale) {
        return new WlmStatus(stale, lastGood, failedLooks + 1, unknownStates);
    }
}
