package io.millrace.agent.slurm.format;

import io.millrace.model.cluster.RunOutcome;

/** Derives the outcome of a run from Slurm's state and the script's wait status. */
public final class RunOutcomes {

    private RunOutcomes() {}

    /**
     * Reads a wait status of the form {@code 768} or {@code 3:0}.
     *
     * @throws IllegalArgumentException if the text has neither form
     */
    public static int waitStatus(final String text) {
        final int colon = text.indexOf(':');
        if (colon < 0) {
            return text.isEmpty() ? 0 : Quantities.intCount(text);
        }
        return Quantities.intCount(text.substring(0, colon)) << 8 | Quantities.intCount(text.substring(colon + 1));
    }

    /** @param status as in wait(2): the signal in the low seven bits, or the exit code above the low eight bits */
    public static RunOutcome of(final String state, final int status) {
        return switch (state) {
            case "COMPLETED", "FAILED" ->
                (status & 0x7f) != 0
                        ? new RunOutcome.Signalled(status & 0x7f)
                        : new RunOutcome.Exited((status >> 8) & 0xff);
            case "CANCELLED", "REVOKED", "LAUNCH_FAILED", "RECONFIG_FAIL" -> new RunOutcome.Cancelled();
            case "TIMEOUT", "DEADLINE" -> new RunOutcome.TimedOut();
            case "NODE_FAIL", "BOOT_FAIL" -> new RunOutcome.NodeFailed();
            case "OUT_OF_MEMORY" -> new RunOutcome.OutOfMemory();
            case "PREEMPTED" -> new RunOutcome.Preempted();
            case "REQUEUED" -> new RunOutcome.Requeued();
            default -> new RunOutcome.Unknown("unknown Slurm state " + state);
        };
    }
}
