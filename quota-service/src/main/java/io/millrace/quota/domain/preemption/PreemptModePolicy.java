package io.millrace.quota.domain.preemption;

import io.millrace.model.command.Preemption.Mode;
import java.time.Duration;
import java.util.List;

/**
 * how victims may leave their cores.
 *
 * @param allowed by the site; of two that lose the same the earlier one is taken
 * @param restartCost what a job needs to read its saved state back
 */
public record PreemptModePolicy(List<Mode> allowed, Duration restartCost) {

    /** Nobody is left standing in memory unless the site asks for it. */
    public static final PreemptModePolicy DEFAULT =
            new PreemptModePolicy(List.of(Mode.CHECKPOINT, Mode.REQUEUE), Duration.ofMinutes(2));

    public PreemptModePolicy {
        allowed = List.copyOf(allowed);
        if (allowed.isEmpty()) {
            throw new IllegalArgumentException("at least one way to leave the cores must be allowed");
        }
        if (allowed.stream().distinct().count() < allowed.size()) {
            throw new IllegalArgumentException("a way is named twice: " + allowed);
        }
        if (restartCost.isNegative()) {
            throw new IllegalArgumentException("what a restart costs cannot be negative: " + restartCost);
        }
    }
}
