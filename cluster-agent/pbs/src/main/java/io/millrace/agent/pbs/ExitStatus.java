package io.millrace.agent.pbs;

import io.millrace.model.cluster.RunOutcome;

/**
 * PBS's {@code Exit_status}: 0 to 255 the exit code; 256 + n: ended by signal n; below zero PBS's own reason why there is no exit code
 * (the {@code JOB_EXEC_} figures of its guide).
 */
public final class ExitStatus {

    public static final int SIGNALLED = 256;
    private static final int SIGKILL = 9;

    private ExitStatus() {}

    public static RunOutcome outcome(final int status) {
        if (status >= SIGNALLED) {
            return new RunOutcome.Signalled(status - SIGNALLED);
        }
        if (status >= 0) {
            return new RunOutcome.Exited(status);
        }
        return switch (status) {
            case -4, -5, -6 -> new RunOutcome.NodeFailed(); // its MoM was started anew under it
            case -3, -11, -12, -14, -15, -16, -18, -20 -> new RunOutcome.Requeued();
            // Killed for more cpus, memory or cpu time than it had asked for.
            case -24, -25, -26, -27, -28 -> new RunOutcome.Signalled(SIGKILL);
            case -29 -> new RunOutcome.TimedOut();
            default -> new RunOutcome.Unknown("PBS could not run it: Exit_status " + status);
        };
    }
}
