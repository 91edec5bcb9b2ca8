package io.millrace.model.job;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.NearestName;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The stage of a global job. Users see it as {@code stage}, and what follows from it as {@link JobStatus}.
 *
 * <pre>
 *   Waiting --> Uploading --> Making --> Submitted --> Downloading --> End
 *      |            |            |           |              |
 *      +------------+------------+-----------+--------------+--> Aborted | Stopped
 * </pre>
 *
 * A job that runs on its source cluster skips Uploading and Downloading; one without a make step skips Making.
 */
public sealed interface GlobalJobState {

    /** No cluster is chosen yet; {@code reason} explains why. */
    record Waiting(String reason) implements GlobalJobState {

        /** Of a job that was just submitted. */
        public static final Waiting ACCEPTED = new Waiting("accepted; no cluster has been chosen yet");
    }

    /** Its directory is on the way to the target. */
    record Uploading(AttemptId attempt, TransferId transfer) implements GlobalJobState {}

    /** Its make step runs on the target. */
    record Making(AttemptId attempt) implements GlobalJobState {}

    /**
     * Submitted to the target's workload manager, which reports the state of the local job separately.
     *
     * @param localJob the local job; null until the agent has answered
     * @param released whether the submission hold was lifted
     * @param withdrawal the decision to take the attempt back; null if there is none
     */
    record Submitted(
            AttemptId attempt,
            @Nullable JobKey localJob,
            boolean released,
            @Nullable Withdrawal withdrawal) implements GlobalJobState {

        public Submitted(final AttemptId attempt, final @Nullable JobKey localJob, final boolean released) {
            this(attempt, localJob, released, null);
        }

        public Submitted withLocalJob(final JobKey local) {
            return new Submitted(attempt, local, released, withdrawal);
        }

        public Submitted withReleased(final boolean lifted) {
            return new Submitted(attempt, localJob, lifted, withdrawal);
        }

        public Submitted withWithdrawal(final @Nullable Withdrawal decided) {
            return new Submitted(attempt, localJob, released, decided);
        }
    }

    /**
     * The run has ended; its results are being copied back. If the outcome does not end the job, the attempt was withdrawn: its files are
     * copied back for the next attempt.
     */
    record Downloading(AttemptId attempt, TransferId transfer, RunOutcome outcome) implements GlobalJobState {}

    /** Ended: the results are in the job's directory and their checksums agree. */
    record End(RunOutcome outcome) implements GlobalJobState {}

    /** Ended by a failure other than the job's exit code. */
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

    /** The transfer that the job waits for; null in other states. */
    default @Nullable TransferId transfer() {
        return null;
    }

    /** The names of the stages. */
    List<String> WORDS = Arrays.stream(GlobalJobState.class.getPermittedSubclasses())
            .map(Class::getSimpleName)
            .toList();

    /**
     * The stages that users name, in any case.
     *
     * @throws IllegalArgumentException with a message for users
     */
    static Set<String> wordsOf(final Collection<String> named) {
        return named.stream()
                .map(name -> WORDS.stream()
                        .filter(name::equalsIgnoreCase)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(NearestName.unknown("stage", name, WORDS))))
                .collect(Collectors.toSet());
    }

    /** The name of the stage: {@code Waiting}, {@code Uploading}, … */
    default String word() {
        return getClass().getSimpleName();
    }
}
