package io.millrace.quota.domain.preemption;

import io.millrace.model.command.Preemption.Mode;
import java.time.Duration;
import java.util.List;

/**
 * the preemption modes that the site allows.
 *
 * @param allowed in order of preference: with equal losses the earlier mode is used
 * @param restartCost time a job needs to restore its checkpoint
 */
public record PreemptModePolicy(List<Mode> allowed, Duration restartCost) {

    /** No suspension unless the site allows it. */
    public static final PreemptModePolicy DEFAULT =
            new PreemptModePolicy(List.of(Mode.CHECKPOINT, Mode.REQUEUE), Duration.ofMinutes(2));

    public PreemptModePolicy {
        allowed = List.copyOf(allowed);
        if (allowed.isEmpty()) {
            throw new IllegalArgumentException(
                    "at least one preemption mode is required: suspend, checkpoint or requeue");
        }
        if (allowed.stream().distinct().count() < allowed.size()) {
            throw new IllegalArgumentException("a preemption mode is listed twice: " + allowed);
        }
        if (restartCost.isNegative()) {
            throw new IllegalArgumentException("restart-cost cannot be negative: " + restartCost);
        }
    }
}
