package io.millrace.submit.kafka;

import io.millrace.submit.projection.ProjectedOffsets;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The progress of this instance on its assigned partitions, and its current obstacle. */
@ApplicationScoped
class ProjectionProgress {

    private final ProjectedOffsets offsets;
    /** Where each partition ended when it was assigned, while the projection has not reached that offset. */
    private final Map<TopicPartition, Long> goals = new ConcurrentHashMap<>();

    private volatile boolean assigned;
    private volatile @Nullable String failure;
    private volatile @Nullable String broken;

    ProjectionProgress(final ProjectedOffsets offsets) {
        this.offsets = offsets;
    }

    void assigned(final TopicPartition partition, final long end, final long next) {
        assigned = true;
        if (next < end) {
            goals.put(partition, end);
        }
    }

    void revoked(final Collection<TopicPartition> partitions) {
        partitions.forEach(goals::remove);
    }

    /**
     * Called when all polled records are projected.
     *
     * @param positions next offset of the consumer by partition; the last offsets of a partition may contain only transaction markers
     */
    void projectedUpTo(final ToLongFunction<TopicPartition> positions) {
        goals.entrySet().removeIf(goal -> positions.applyAsLong(goal.getKey()) >= goal.getValue());
    }

    void clearFailure() {
        failure = null;
    }

    void setFailure(final String reason) {
        failure = reason;
    }

    /** An error that only an operator can resolve. */
    void setFatal(final String reason) {
        broken = reason;
    }

    boolean databaseAnswers() {
        try {
            offsets.ask();
            return true;
        } catch (RuntimeException e) {
            return false; // the caller logs the error
        }
    }

    /** Why the read model is not up to date; empty if it is. */
    Optional<String> obstacle() {
        if (broken != null || failure != null) {
            return Optional.ofNullable(broken != null ? broken : failure);
        }
        if (!assigned) {
            return Optional.of("no partition assigned");
        }
        return goals.isEmpty()
                ? Optional.empty()
                : Optional.of(goals.size() + " partitions have not caught up since their assignment");
    }
}
