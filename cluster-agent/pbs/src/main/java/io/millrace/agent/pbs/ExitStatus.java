package io.millrace.agent.pbs;

import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.util.function.Function;
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
            case -24, -25 -> new RunOutcome.Signalled(SIGKILL); // it used more cores than requested
            case -26, -27, -31 -> new RunOutcome.OutOfMemory(); // virtual memory, memory, memory of huge pages
            case -28, -29 -> new RunOutcome.TimedOut(); // CPU time, walltime
            default -> new RunOutcome.Unknown("PBS could not run the job: Exit_status " + status);
        };
    }

    /**
     * Old versions report a job that was killed at its walltime limit as ended by a signal, and the kernel kills a job whose cgroup needs more
     * memory than it has. The resources used show the difference.
     *
     * @param attribute the value of an attribute such as {@code resources_used.mem}; null if it is missing
     */
    public static RunOutcome withLimits(final RunOutcome reported, final Function<String, @Nullable String> attribute) {
        if (!(reported instanceof RunOutcome.Signalled signalled)
                || signalled.signal() != SIGTERM && signalled.signal() != SIGKILL) {
            return reported;
        }
        final Duration used = PbsDuration.read(attribute.apply("resources_used.walltime"));
        final Duration limit = PbsDuration.read(attribute.apply("Resource_List.walltime"));
        if (used != null && limit != null && used.compareTo(limit) >= 0) {
            return new RunOutcome.TimedOut();
        }
        final long memory = PbsSize.bytes(attribute.apply("Resource_List.mem"));
        return signalled.signal() == SIGKILL
                        && memory > 0
                        && PbsSize.bytes(attribute.apply("resources_used.mem")) >= memory
                ? new RunOutcome.OutOfMemory()
                : reported;
    }
}
