package io.millrace.model.command;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.CheckpointMethod;
import org.jspecify.annotations.Nullable;

/**
 * How one victim of a reclaim leaves its cores.
 *
 * @param checkpointMethod how its work is saved; null unless it is checkpointed
 * @param lostCoreSeconds core-seconds of its work that are lost at most, as far as it can be known beforehand
 * @param reason why in this way, with the figures
 */
public record Preemption(
        JobKey victim, Mode mode, @Nullable CheckpointMethod checkpointMethod, long lostCoreSeconds, String reason) {

    /** The ways, from the one that keeps most of the work. */
    public enum Mode {
        /** Stopped in place: loses nothing, and keeps its memory and GPUs. */
        SUSPEND,
        /** Saved, then put back into the queue; whoever is not saved within the grace time is put back all the same. */
        CHECKPOINT,
        /** Put back into the queue: what it had done is lost. */
        REQUEUE
    }

    public Preemption {
        if ((mode == Mode.CHECKPOINT) != (checkpointMethod != null)) {
            throw new IllegalArgumentException(victim + ": a method belongs to a checkpoint and to nothing else, not "
                    + checkpointMethod + " to " + mode);
        }
        if (lostCoreSeconds < 0) {
            throw new IllegalArgumentException(victim + " cannot lose " + lostCoreSeconds + " core-seconds");
        }
    }

    /** Of a victim of which no more is said. */
    static Preemption requeue(final JobKey victim) {
        return new Preemption(victim, Mode.REQUEUE, null, 0, "requeued");
    }
}
