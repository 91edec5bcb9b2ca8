package io.millrace.agent.lsf;

import io.millrace.model.NodeName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** LSF's job states in our words; see "JOB STATUS" in bjobs(1). */
final class JobStates {

    /** Between its end and its place in the queue a job that was put back shows EXIT for some seconds. */
    private static final Duration ON_ITS_WAY = Duration.ofMinutes(1);

    private JobStates() {}

    /**
     * @param note the agent's own word about it
     * @param gate whether its queue is inactive, and why
     * @return empty if it has ended
     */
    static Optional<JobState> of(
            final ListedJob job, final @Nullable JobNote note, final QueueState gate, final Instant now) {
        return switch (job.status()) {
            case "PEND", "WAIT" -> Optional.of(waiting(gate));
            case "PSUSP" -> Optional.of(new JobState.Held(holder(job, note)));
            case "RUN" -> Optional.of(new JobState.Running(started(job), nodes(job)));
            case "USUSP", "SSUSP" -> Optional.of(new JobState.Suspended(started(job), nodes(job)));
            case "DONE", "EXIT" ->
                isOnItsWayBack(job, note, now) ? Optional.of(new JobState.Completing()) : Optional.empty();
            // UNKWN: its host is silent. ZOMBI: killed while it was. PROV: a host is being started for it.
            default -> Optional.of(new JobState.Unknown(job.status()));
        };
    }

    /** How a job's queue stands. */
    enum QueueState {
        ACTIVE,
        /** Shut by us: the gate. */
        SHUT,
        /** Made inactive by an administrator. */
        STOPPED
    }

    private static JobState waiting(final QueueState gate) {
        return switch (gate) {
            case ACTIVE -> new JobState.Queued();
            case SHUT -> new JobState.Held(HoldKind.ENTRY);
            case STOPPED -> new JobState.Held(HoldKind.OPERATOR);
        };
    }

    /** A job of ours without any note was handed in held, and nobody has let it go since. */
    private static HoldKind holder(final ListedJob job, final @Nullable JobNote note) {
        if (note == null) {
            return job.attempt() != null
                    ? HoldKind.SUBMISSION
                    : job.isHeldByAdministrator() ? HoldKind.OPERATOR : HoldKind.USER;
        }
        return switch (note.kind()) {
            case ENTRY, CHECKPOINTING -> HoldKind.ENTRY;
            case OPERATOR -> HoldKind.OPERATOR;
            case USER, RELEASED, REQUEUED -> job.isHeldByAdministrator() ? HoldKind.OPERATOR : HoldKind.USER;
        };
    }

    /** We have put it back, the run that ended is the one from before, and it has not come to wait yet. */
    private static boolean isOnItsWayBack(final ListedJob job, final @Nullable JobNote note, final Instant now) {
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
                && now.isBefore(note.at().plus(ON_ITS_WAY));
    }

    private static Instant started(final ListedJob job) {
        return job.started() == null ? job.submitted() : job.started();
    }

    private static List<NodeName> nodes(final ListedJob job) {
        return job.hosts().stream().map(NodeName::of).toList();
    }
}
