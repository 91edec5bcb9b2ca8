package io.millrace.agent.local;

import io.millrace.agent.domain.Run;
import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job of the embedded workload manager, as stored in its directory.
 *
 * <pre>
 *   Waiting --start--> Active --exit--> Ended
 *      ^  \               | requeue       ^
 *      |   \--------------|---cancel------/
 *      +------------------+
 * </pre>
 *
 * @param spec with an empty script, which is stored in a separate file
 * @param restarts the number of requeues
 * @param runs the ended runs, oldest first
 */
record LocalJob(
        JobKey key,
        @Nullable AttemptId attempt,
        UserName owner,
        JobSpec spec,
        String directory,
        State state,
        int restarts,
        List<Run> runs) {

    LocalJob {
        runs = List.copyOf(runs);
    }

    sealed interface State {}

    /** @param hold null if the job may start */
    record Waiting(@Nullable HoldKind hold, Instant since) implements State {}

    /**
     * @param cores allocated virtual cores by node
     * @param endReason why the run is being terminated; null if it is not
     * @param killAt when a run that is being terminated gets SIGKILL
     */
    record Active(
            int run,
            Instant started,
            Map<String, Integer> cores,
            boolean suspended,
            @Nullable EndReason endReason,
            @Nullable Instant killAt)
            implements State {

        Active suspended(final boolean now) {
            return new Active(run, started, cores, now, endReason, killAt);
        }

        Active ending(final EndReason next, final Instant kill) {
            return new Active(run, started, cores, false, next, kill);
        }
    }

    record Ended() implements State {}

    /** Why a run is being terminated. */
    enum EndReason {
        CANCEL,
        REQUEUE,
        REQUEUE_HELD
    }

    boolean hasEnded() {
        return state instanceof Ended;
    }

    LocalJob withState(final State next) {
        return new LocalJob(key, attempt, owner, spec, directory, next, restarts, runs);
    }

    LocalJob withWalltime(final Duration walltime) {
        return new LocalJob(key, attempt, owner, spec.withWalltime(walltime), directory, state, restarts, runs);
    }

    /** A job with another name or number of cores. What is null stays as it is. */
    LocalJob altered(final @Nullable String name, final @Nullable Integer cores) {
        return new LocalJob(key, attempt, owner, spec.altered(name, cores), directory, state, restarts, runs);
    }

    /** The run and the job have ended. */
    LocalJob ended(final @Nullable Instant started, final Instant ended, final RunOutcome outcome) {
        return new LocalJob(key, attempt, owner, spec, directory, new Ended(), restarts, with(started, ended, outcome));
    }

    /** The run has ended, and the job is pending again. */
    LocalJob requeued(final Instant started, final Instant ended, final @Nullable HoldKind hold) {
        return new LocalJob(
                key,
                attempt,
                owner,
                spec,
                directory,
                new Waiting(hold, ended),
                restarts + 1,
                with(started, ended, new RunOutcome.Requeued()));
    }

    private List<Run> with(final @Nullable Instant started, final Instant ended, final RunOutcome outcome) {
        final List<Run> all = new ArrayList<>(runs);
        all.add(new Run(key, restarts + 1, started, ended, outcome, "journal"));
        return all;
    }
}
