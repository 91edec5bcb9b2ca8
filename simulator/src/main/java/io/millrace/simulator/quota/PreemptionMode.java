package io.millrace.simulator.quota;

/**
 * How a victim leaves its cores.
 *
 * @param keepsWork whether by a checkpoint; else it starts again from nothing
 * @param byLoss whether the planner weighs for each victim what a checkpoint saves; else all are saved that can be
 * @param checkpoint_s seconds that it stays on its cores to save its state
 * @param restart_s seconds that it needs to go on
 */
public record PreemptionMode(boolean keepsWork, boolean byLoss, long checkpoint_s, long restart_s) {

    public static final PreemptionMode REQUEUE = new PreemptionMode(false, false, 0, 0);

    public static PreemptionMode checkpoint(final long checkpoint_s, final long restart_s) {
        return new PreemptionMode(true, false, checkpoint_s, restart_s);
    }

    /** By a checkpoint where that loses less than starting again. */
    public static PreemptionMode byLoss(final long checkpoint_s, final long restart_s) {
        return new PreemptionMode(true, true, checkpoint_s, restart_s);
    }
}
