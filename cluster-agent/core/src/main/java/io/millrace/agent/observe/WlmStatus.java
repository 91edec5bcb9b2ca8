package io.millrace.agent.observe;

import io.millrace.model.cluster.WlmHealth;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the workload manager has answered recently.
 *
 * @param lastAnsweredAt when it answered last; null: not since the agent started
 * @param failedPolls failed polls since then
 * @param unknownStates jobs and nodes in a state unknown to the adapter
 * @param unreadableJobs listed jobs that the adapter could not read
 */
public record WlmStatus(
        WlmHealth health, @Nullable Instant lastAnsweredAt, int failedPolls, int unknownStates, int unreadableJobs) {

    /** Why the last poll failed; null if it succeeded or there was none. */
    @Nullable
    public String unavailableReason() {
        return failedPolls > 0 && health instanceof WlmHealth.Stale stale ? stale.reason() : null;
    }

    WlmStatus answered(final Instant at, final int unknown, final int unreadable) {
        return new WlmStatus(new WlmHealth.Answering(), at, 0, unknown, unreadable);
    }

    WlmStatus unavailable(final WlmHealth.Stale stale) {
        return new WlmStatus(stale, lastAnsweredAt, failedPolls + 1, unknownStates, unreadableJobs);
    }
}
