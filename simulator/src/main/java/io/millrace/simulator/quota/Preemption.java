package io.millrace.simulator.quota;

/**
 * How a victim leaves its cores.
 *
 * @param keepsWork whether by a checkpoint; else it starts again from nothing
 * @param checkpoint_s seconds that it stays on its cores to save its state
 * @param restart_s seconds that it needs to go on
 */
public record Preemption(boolean keepsWork, long checkpoint_s, long restart_s) {

    public static final Preemption REQUEUE = new Preemption(false, 0, 0);

    public static Preemption checkpoint(final long checkpoint_s, final long restart_s) {
        return new Preemption(true, checkpoint_s, restart_s);
    }
}
