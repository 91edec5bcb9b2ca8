package io.millrace.model.cluster;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.array.ArrayIndices;
import io.millrace.model.array.ArrayTasks;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A job in the queue of its cluster.
 *
 * @param name as the user wrote it; may contain blanks and non-ASCII characters
 * @param reason the reason why it waits, as the workload manager reports it; null if there is none
 * @param walltime the requested limit; null means unlimited
 * @param eligibility whether it could start now if its resources were free; absent if its agent is older than this field
 * @param attempt the tag of a global job's placement; null for a job that a user submitted to the cluster directly
 * @param restarts how often it was requeued
 * @param priority the priority in the workload manager
 * @param detail further properties
 */
public record JobObserved(
        JobKey job,
        String name,
        UserName owner,
        @Nullable ProjectName project,
        PartitionName partition,
        JobState state,
        @Nullable String reason,
        Resources resources,
        @Nullable Duration walltime,
        @Nullable Eligibility eligibility,
        @Nullable AttemptId attempt,
        int restarts,
        long priority,
        CheckpointMethod checkpoint,
        JobDetail detail)
        implements ClusterStateEvent {

    /** The key of a job on {@code millrace.cluster-state}. */
    public static String keyOf(final JobKey job) {
        return new ClusterStateKey.Job(job).toString();
    }

    @Override
    public String key() {
        return keyOf(job);
    }

    @Override
    public ClusterId cluster() {
        return job.cluster();
    }

    @Override
    public Eligibility eligibility() {
        return Objects.requireNonNullElse(eligibility, Eligibility.UNKNOWN);
    }

    /** Whether it waits and could start now if its resources were free. */
    public boolean isStartable() {
        return state.isWaiting() && startVeto().isEmpty();
    }

    /** Why it could not start now even if its resources were free; empty if it could. Millrace lifts the entry hold when it starts a job. */
    public Optional<Veto> startVeto() {
        return state instanceof JobState.Held held && held.by() != HoldKind.ENTRY
                ? Optional.of(heldBy(held.by()))
                : switch (eligibility()) {
                    case Eligibility.EligibleSince since -> Optional.empty();
                    case Eligibility.NotBefore not -> Optional.of(obstructed(not));
                    case Eligibility.Unknown unknown ->
                        Optional.of(VetoCode.ELIGIBILITY_UNKNOWN.veto(
                                "the workload manager does not report whether the job can start"));
                };
    }

    private static Veto heldBy(final HoldKind kind) {
        return switch (kind) {
            case USER -> VetoCode.HELD_BY_USER.veto("held by its owner; only the owner can release it");
            case OPERATOR, ENTRY -> VetoCode.HELD_BY_OPERATOR.veto("held by an operator or the system");
            case SUBMISSION -> VetoCode.SUBMISSION_IN_PROGRESS.veto("held until Millrace releases it");
        };
    }

    private Veto obstructed(final Eligibility.NotBefore not) {
        return switch (not.obstacle()) {
            case BEGIN_TIME ->
                VetoCode.BEGIN_TIME.veto("its owner requested that it does not begin before "
                        + (not.until() == null ? "a later time" : not.until()));
            case DEPENDENCY ->
                VetoCode.DEPENDENCY.veto(
                        detail.dependencies().isEmpty()
                                ? "waits for other jobs"
                                : "waits for " + String.join(", ", detail.dependencies()));
            // Held jobs are answered by their state, so the hold was lifted by a command that the cluster does not show
            // yet.
            case HOLD -> VetoCode.SUBMISSION_IN_PROGRESS.veto("released; the cluster does not show it yet");
            case ARRAY_LIMIT ->
                VetoCode.ARRAY_LIMIT.veto("as many tasks of its array run as its owner allows at once"
                        + (detail.array() == null || detail.array().maxConcurrent() == null
                                ? ""
                                : ": " + detail.array().maxConcurrent()));
            case ADVANCE_RESERVATION ->
                VetoCode.ADVANCE_RESERVATION.veto(
                        "belongs to an advance reservation of the workload manager, which starts it");
        };
    }

    /** All partitions that it may start in. */
    public List<PartitionName> choice() {
        return detail.partitions() == null ? List.of(partition) : detail.partitions();
    }

    /** Whether it is the record of an array's waiting tasks, under the id of the array. */
    public boolean isArrayRecord() {
        return detail.array() != null && detail.array().array().equals(job.id().local());
    }

    /** How many tasks of an array it represents; 1 for a single job. */
    public int tasks() {
        return detail.array() == null ? 1 : detail.array().tasks();
    }

    /** The same job as only these tasks of its array; null: one, whichever is next. */
    public JobObserved startedAs(final @Nullable String indices) {
        final ArrayTasks array = detail.array();
        return array == null ? this : with(detail.with(indices == null ? array.one() : array.only(indices)));
    }

    /** The same job as those tasks of its array that are named; empty if none of them belongs to it. */
    public Optional<JobObserved> only(final BitSet named) {
        final ArrayTasks array = detail.array();
        if (array == null || !array.isReadable()) {
            return Optional.empty();
        }
        final List<Integer> some =
                ArrayIndices.read(array.indices()).filter(named::get).boxed().toList();
        return some.isEmpty() ? Optional.empty() : Optional.of(with(detail.with(array.only(ArrayIndices.write(some)))));
    }

    /** A job with the resources of so many of its kind. */
    public JobObserved times(final int count) {
        return count == 1
                ? this
                : copy(
                        owner,
                        project,
                        partition,
                        state,
                        resources.times(count),
                        eligibility,
                        attempt,
                        priority,
                        checkpoint,
                        detail);
    }

    public JobObserved in(final JobState next) {
        return copy(owner, project, partition, next, resources, eligibility, attempt, priority, checkpoint, detail);
    }

    /** The same job in another partition. */
    public JobObserved in(final PartitionName other) {
        return copy(owner, project, other, state, resources, eligibility, attempt, priority, checkpoint, detail);
    }

    public JobObserved with(final Eligibility other) {
        return copy(owner, project, partition, state, resources, other, attempt, priority, checkpoint, detail);
    }

    public JobObserved with(final JobDetail more) {
        return copy(owner, project, partition, state, resources, eligibility, attempt, priority, checkpoint, more);
    }

    public JobObserved of(final UserName other, final @Nullable ProjectName otherProject) {
        return copy(
                other, otherProject, partition, state, resources, eligibility, attempt, priority, checkpoint, detail);
    }

    /** The same job as one that was submitted to the cluster directly. */
    public JobObserved withoutAttempt() {
        return copy(owner, project, partition, state, resources, eligibility, null, priority, checkpoint, detail);
    }

    public JobObserved with(final CheckpointMethod method) {
        return copy(owner, project, partition, state, resources, eligibility, attempt, priority, method, detail);
    }

    public JobObserved withPriority(final long figure) {
        return copy(owner, project, partition, state, resources, eligibility, attempt, figure, checkpoint, detail);
    }

    private JobObserved copy(
            final UserName by,
            final @Nullable ProjectName charged,
            final PartitionName in,
            final JobState now,
            final Resources needed,
            final @Nullable Eligibility could,
            final @Nullable AttemptId tag,
            final long figure,
            final CheckpointMethod method,
            final JobDetail more) {
        return new JobObserved(
                job, name, by, charged, in, now, reason, needed, walltime, could, tag, restarts, figure, method, more);
    }
}
