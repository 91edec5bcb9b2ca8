package io.millrace.agent.torque.accounting;

import io.millrace.agent.pbs.ExitStatus;
import io.millrace.model.cluster.RunOutcome;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Maps {@code Exit_status} of Torque to an outcome: 0 to 255 is the exit code, 256 + n means ended by signal n, and negative values
 * are {@code JOB_EXEC_} numbers of pbs_error.h, which differ from those of PBS Pro.
 */
final class RunOutcomes {

    private RunOutcomes() {}

    /**
     * @param deleted whether the job was deleted before it ended
     * @param attribute the value of an attribute such as {@code resources_used.walltime}; null if it is missing
     */
    static RunOutcome of(final int status, final boolean deleted, final Function<String, @Nullable String> attribute) {
        if (deleted) {
            return new RunOutcome.Cancelled();
        }
        return switch (status) {
            case -11, -12 -> new RunOutcome.TimedOut(); // exceeded its walltime or its CPU time
            case -10 -> new RunOutcome.OutOfMemory();
            case -4, -5, -6, -7 -> new RunOutcome.NodeFailed(); // pbs_mom was restarted
            case -1, -2, -3, -9, -13, -14 -> new RunOutcome.NodeFailed(); // pbs_mom could not set up the job
            default ->
                status < 0
                        ? new RunOutcome.Unknown("pbs_mom could not run the job: Exit_status " + status)
                        : ExitStatus.withLimits(ExitStatus.outcome(status), attribute);
        };
    }

    static RunOutcome of(final AccountingRecord end, final boolean deleted) {
        final Integer status = end.exitStatus();
        return status == null
                ? new RunOutcome.Unknown("the accounting record has no Exit_status")
                : of(status, deleted, end.fields()::get);
    }
}
