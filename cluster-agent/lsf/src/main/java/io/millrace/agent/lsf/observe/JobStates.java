package io.millrace.agent.lsf.observe;

import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.model.NodeName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps LSF job states to {@link JobState}; see "JOB STATUS" in bjobs(1). */
public final class JobStates {

    /** A requeued job shows EXIT for some seconds before it is pending again. */
    private static final Duration REQUEUE_DELAY = Duration.ofMinutes(1);

    private JobStates() {}

    /**
     * @param note the note of the agent about the job
     * @param gate the state of its queue
     * @return empty if the job has ended
     */
    public static Optional<JobState> of(
            final ListedJob job, final @Nullable JobNote note, final QueueState gate, final Instant now) {
        return switch (job.status()) {
            case "PEND", "WAIT" -> Optional.of(waiting(gate));
            case "PSUSP" -> Optional.of(new JobState.Held(holder(job, note)));
            case "RUN" -> Optional.of(new JobState.Running(started(job), nodes(job)));
            case "USUSP", "SSUSP" -> Optional.of(new JobState.Suspended(started(job), nodes(job)));
            case "DONE", "EXIT" ->
                isBeingRequeued(job, note, now) ? Optional.of(new JobState.Completing()) : Optional.empty();
            // UNKWN: the host does not respond. ZOMBI: killed while in that state. PROV: a host is being provisioned.
            default -> Optional.of(new JobState.Unknown(job.status()));
        };
    }

    /** The dispatch state of a queue. */
    public enum QueueState {
        ACTIVE,
        /** Made inactive by the agent. */
        CLOSED,
        /** Made inactive by an administrator. */
        STOPPED
    }

    private static JobState waiting(final QueueState gate) {
        return switch (gate) {
            case ACTIVE -> new JobState.Queued();
            case CLOSED -> new JobState.Held(HoldKind.ENTRY);
            case STOPPED -> new JobState.Held(HoldKind.OPERATOR);
        };
    }

    /** Who holds the job. A tagged job without a note was submitted on hold and has not been released since. */
    private static HoldKind holder(final ListedJob job, final @Nullable JobNote note) {
        if (note == null) {
            return job.attempt() != null
                    ? HoldKind.SUBMISSION
                    : job.isHeldByAdministrator() ? HoldKind.OPERATOR : HoldKind.USER;
        }
        return switch (note.kind()) {
            case ENTRY, CHECKPOINTING -> HoldKind.ENTRY;
            case SUBMISSION -> HoldKind.SUBMISSION;
            case OPERATOR -> HoldKind.OPERATOR;
            case USER, RELEASED, REQUEUED -> job.isHeldByAdministrator() ? HoldKind.OPERATOR : HoldKind.USER;
        };
    }

    /** Whether the agent has requeued the job and it is not pending yet; the ended run began before the note. */
    private static boolean isBeingRequeued(final ListedJob job, final @Nullable JobNote note, final Instant now) {
        if (note == null) {
            return false;
        }
        if (note.kind() == JobNote.Kind.CHECKPOINTING) {
            return note.isCheckpointing(now);
        }
        if (note.kind() != JobNote.Kind.ENTRY && note.kind() != JobNote.Kind.REQUEUED) {
            return false;
        }
        return job.started() != null
                && !job.started().isAfter(note.at())
                && now.isBefore(note.at().plus(REQUEUE_DELAY));
    }

    private static Instant started(final ListedJob job) {
        return job.started() == null ? job.submitted() : job.started();
    }

    private static List<NodeName> nodes(final ListedJob job) {
        return job.hosts().stream().map(NodeName::of).toList();
    }
}
