package io.millrace.agent.pbs;

import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@code Exit_status} of PBS to an outcome: 0 to 255 is the exit code, 256 + n means ended by signal n, and a negative value
 * is a reason why there is no exit code ({@code JOB_EXEC_} in the PBS guide).
 */
public final class ExitStatus {

    private static final int SIGNALLED = 256;
    private static final int SIGTERM = 15;
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
            case -4, -5, -6 -> new RunOutcome.NodeFailed(); // MoM was restarted
            case -3, -11, -12, -14, -15, -16, -18, -20 -> new RunOutcome.Requeued();
            // Killed because it used more cores, memory or CPU time than requested.
            case -24, -25, -26, -27, -28 -> new RunOutcome.Signalled(SIGKILL);
            case -29 -> new RunOutcome.TimedOut();
            default -> new RunOutcome.Unknown("PBS could not run the job: Exit_status " + status);
        };
    }

    /**
     * Old versions report a job that was killed at its walltime limit as ended by a signal. The walltime used shows the difference.
     *
     * @param used walltime used; null if unknown
     * @param limit walltime limit; null if there is none
     */
    public static RunOutcome withWalltime(
            final RunOutcome reported, final @Nullable Duration used, final @Nullable Duration limit) {
        final boolean killed = reported instanceof RunOutcome.Signalled signalled
                && (signalled.signal() == SIGTERM || signalled.signal() == SIGKILL);
        return killed && used != null && limit != null && used.compareTo(limit) >= 0
                ? new RunOutcome.TimedOut()
                : reported;
    }
}
