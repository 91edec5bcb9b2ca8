package io.millrace.model.job;

import io.millrace.model.Event;
import io.millrace.model.NearestName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RunOutcome;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a job in the words of users: the {@code state} of tables, filters, the REST API, mails and events for tools. It follows from
 * the stage of the job ({@link GlobalJobState}), the state of its local job, its hold, and its outcome (docs/states.md).
 */
public enum JobStatus {
    /** No cluster is chosen yet. */
    WAITING,
    /** A user or an operator keeps it from starting. */
    HELD,
    /** Its directory is being copied to the cluster. */
    UPLOADING,
    /** Its build step runs. */
    MAKING,
    /** In the queue of a cluster, or on the way into it. */
    QUEUED,
    /** In the queue of its cluster again after a run that did not end it. */
    PREEMPTED,
    RUNNING,
    SUSPENDED,
    /** The run has ended; its files are being copied back. */
    DOWNLOADING,
    /** Exited with 0. */
    SUCCEEDED,
    /** Exited with another code, or killed by a signal. */
    FAILED,
    TIMED_OUT,
    OUT_OF_MEMORY,
    NODE_FAILED,
    /** Cancelled, or preempted for good, with the means of the workload manager. */
    CANCELLED,
    /** Millrace gave up. */
    ABORTED,
    /** Stopped on request. */
    STOPPED;

    /** The states of jobs that have not ended. */
    public static final List<JobStatus> ACTIVE =
            Arrays.stream(values()).filter(state -> !state.isFinal()).toList();

    /** The states of jobs that have ended. */
    public static final List<JobStatus> FINAL =
            Arrays.stream(values()).filter(JobStatus::isFinal).toList();

    /** All words that select jobs by state. */
    public static final List<String> FILTERS = Stream.concat(
                    Arrays.stream(values()).map(JobStatus::word), Stream.of("active", "final"))
            .toList();

    /** @param local the local job of its attempt while it is in a queue */
    public static JobStatus of(final GlobalJob job, final @Nullable JobObserved local) {
        final JobStatus state = switch (job.state()) {
            case GlobalJobState.Waiting s -> WAITING;
            case GlobalJobState.Uploading s -> UPLOADING;
            case GlobalJobState.Making s -> MAKING;
            case GlobalJobState.Submitted s -> local == null ? QUEUED : of(local);
            case GlobalJobState.Downloading s -> DOWNLOADING;
            case GlobalJobState.End s -> of(s.outcome());
            case GlobalJobState.Aborted s -> ABORTED;
            case GlobalJobState.Stopped s -> STOPPED;
        };
        return job.hold() != null && state.isBeforeStart() ? HELD : state;
    }

    /** The state of a job in the queue of a cluster. Holds that Millrace itself has put on it are part of its wait. */
    public static JobStatus of(final JobObserved local) {
        return switch (local.state()) {
            case JobState.Held s when s.by() == HoldKind.USER || s.by() == HoldKind.OPERATOR -> HELD;
            case JobState.Held s -> waiting(local);
            case JobState.Queued s -> waiting(local);
            case JobState.Running s -> RUNNING;
            case JobState.Suspended s -> SUSPENDED;
            // its end is not known yet
            case JobState.Completing s -> RUNNING;
            case JobState.Unsettled s -> RUNNING;
            case JobState.Unknown s -> RUNNING;
        };
    }

    private static JobStatus waiting(final JobObserved local) {
        return local.restarts() > 0 ? PREEMPTED : QUEUED;
    }

    /** The state that an event shows; empty if it is not about a state, or if the cluster reports it. */
    public static Optional<JobStatus> shownBy(final Event event) {
        return switch (event) {
            case GlobalJob job
            when job.state() instanceof GlobalJobState.Submitted s && s.localJob() != null -> Optional.empty();
            case GlobalJob job -> Optional.of(of(job, null));
            case JobObserved local -> Optional.of(of(local));
            default -> Optional.empty();
        };
    }

    /** The state after a run. */
    public static JobStatus of(final RunOutcome outcome) {
        return switch (outcome) {
            case RunOutcome.Exited exited -> exited.exitCode() == 0 ? SUCCEEDED : FAILED;
            case RunOutcome.Signalled o -> FAILED;
            case RunOutcome.TimedOut o -> TIMED_OUT;
            case RunOutcome.OutOfMemory o -> OUT_OF_MEMORY;
            case RunOutcome.NodeFailed o -> NODE_FAILED;
            case RunOutcome.Cancelled o -> CANCELLED;
            case RunOutcome.Preempted o -> CANCELLED;
            case RunOutcome.Unknown o -> ABORTED;
            case RunOutcome.Requeued o -> PREEMPTED;
            case RunOutcome.Checkpointed o -> PREEMPTED;
            case RunOutcome.Continued o -> PREEMPTED;
        };
    }

    /**
     * The states that words select: names of states, {@code active} and {@code final}, in any case.
     *
     * @throws IllegalArgumentException with a message for users
     */
    public static Set<JobStatus> selectedBy(final Collection<String> words) {
        final Set<JobStatus> selected = EnumSet.noneOf(JobStatus.class);
        for (final String word : words) {
            switch (word.toLowerCase(Locale.ROOT)) {
                case "active" -> selected.addAll(ACTIVE);
                case "final" -> selected.addAll(FINAL);
                default -> selected.add(named(word));
            }
        }
        return selected;
    }

    /** @throws IllegalArgumentException with a message for users */
    public static JobStatus named(final String word) {
        return Arrays.stream(values())
                .filter(state -> state.word().equalsIgnoreCase(word.replace('_', '-')))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(NearestName.unknown("state", word, FILTERS)));
    }

    /** Whether the job has ended. */
    public boolean isFinal() {
        return compareTo(SUCCEEDED) >= 0;
    }

    /** Whether a hold can keep it from starting. */
    private boolean isBeforeStart() {
        return compareTo(PREEMPTED) <= 0;
    }

    /** The name that users know: {@code timed-out}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
