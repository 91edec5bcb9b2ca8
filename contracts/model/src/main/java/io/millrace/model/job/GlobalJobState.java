package io.millrace.model.job;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import org.jspecify.annotations.Nullable;

/**
 * The state of a global job, in the words users know from {@code mgstat}.
 *
 * <pre>
 *   Waiting --> Uploading --> Making --> Submitted --> Downloading --> End
 *      |            |            |           |              |
 *      +------------+------------+-----------+--------------+--> Aborted | Stopped
 * </pre>
 *
 * A job that runs where its directory lies skips Uploading and Downloading; one without a make step skips Making.
 */
public sealed interface GlobalJobState {

    /** No cluster is chosen yet; {@code why} says what would change that. */
    record Waiting(String reason) implements GlobalJobState {}

    /** Its directory is on the way to the target. */
    record Uploading(AttemptId attempt, TransferId transfer) implements GlobalJobState {}

    /** Its make step runs on the target. */
    record Making(AttemptId attempt) implements GlobalJobState {}

    /**
     * Handed to the target's workload manager; the local job has a state of its own beside this one.
     *
     * @param localJob the local job; null until the agent has answered
     * @param released whether the submission hold was lifted
     */
    record Submitted(AttemptId attempt, @Nullable JobKey localJob, boolean released) implements GlobalJobState {}

    /** The run is over, its results are on the way home. */
    record Downloading(AttemptId attempt, TransferId transfer, RunOutcome outcome) implements GlobalJobState {}

    /** Over: the results lie in the job's directory and their checksums agree. */
    record End(RunOutcome outcome) implements GlobalJobState {}

    /** Given up for a reason that is not the job's own exit code. */
    record Aborted(String reason) implements GlobalJobState {}

    /** Stopped on request. */
    record Stopped(UserName by, String reason) implements GlobalJobState {}

    default boolean isFinal() {
        return switch (this) {
            case End e -> true;
            case Aborted a -> true;
            case Stopped s -> true;
            case Waiting w -> false;
            case Uploading u -> false;
            case Making m -> false;
            case Submitted s -> false;
            case Downloading d -> false;
        };
    }

    /** The word users see: {@code Waiting}, {@code Uploading}, … */
    default String word() {
        return getClass().getSimpleName();
    }
}
