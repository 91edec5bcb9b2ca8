package io.millrace.model.command;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import org.jspecify.annotations.Nullable;

/**
 * How one victim of a reclaim is preempted.
 *
 * @param checkpointMethod how its state is saved; null unless it is checkpointed
 * @param lostCoreSeconds estimated upper bound of the lost work in core-seconds
 * @param reason why this mode was chosen, with the figures
 */
public record Preemption(
        JobKey victim, Mode mode, @Nullable CheckpointMethod checkpointMethod, long lostCoreSeconds, String reason) {

    /** The modes, from the one that keeps the most work. */
    public enum Mode {
        /** Suspended: loses no work, and keeps its memory and GPUs. */
        SUSPEND,
        /** Checkpointed, then requeued; a job that is not saved within the grace time is requeued without a checkpoint. */
        CHECKPOINT,
        /** Requeued: its work is lost. */
        REQUEUE
    }

    public Preemption {
        if ((mode == Mode.CHECKPOINT) != (checkpointMethod != null)) {
            throw new IllegalArgumentException(victim + ": only mode CHECKPOINT takes a checkpoint method, got "
                    + checkpointMethod + " to " + mode);
        }
        if (lostCoreSeconds < 0) {
            throw new IllegalArgumentException(victim + " cannot lose " + lostCoreSeconds + " core-seconds");
        }
    }

    /** The default for a victim without an entry. */
    static Preemption requeue(final JobKey victim) {
        return new Preemption(victim, Mode.REQUEUE, null, 0, "requeued");
    }
}
