package io.millrace.simulator.quota;

/**
 * How victims are preempted.
 *
 * @param keepsWork whether they are checkpointed; otherwise they start again from the beginning
 * @param byLoss whether a victim is checkpointed only if that loses less than a requeue; otherwise whenever possible
 * @param checkpoint_s duration of a checkpoint in seconds
 * @param restart_s duration of a restart in seconds
 */
public record PreemptionMode(boolean keepsWork, boolean byLoss, long checkpoint_s, long restart_s) {

    public static final PreemptionMode REQUEUE = new PreemptionMode(false, false, 0, 0);

    public static PreemptionMode checkpoint(final long checkpoint_s, final long restart_s) {
        return new PreemptionMode(true, false, checkpoint_s, restart_s);
    }

    /** Checkpoint if that loses less than a requeue. */
    public static PreemptionMode byLoss(final long checkpoint_s, final long restart_s) {
        return new PreemptionMode(true, true, checkpoint_s, restart_s);
    }
}
