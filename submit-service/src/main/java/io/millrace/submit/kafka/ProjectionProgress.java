package io.millrace.submit.kafka;

import io.millrace.submit.domain.log.ProjectedRecord;
import io.millrace.submit.projection.ProjectedOffsets;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The progress of this instance on its assigned partitions, and its current obstacle. */
@ApplicationScoped
class ProjectionProgress {

    /** After this time without a batch, no polled record is still in processing. */
    private static final Duration SETTLED = Duration.ofMillis(500);

    private final ProjectedOffsets offsets;
    private final Clock clock;
    private final Map<TopicPartition, CatchUpTarget> goals = new ConcurrentHashMap<>();
    private volatile boolean assigned;
    private volatile boolean busy;
    private volatile Instant lastBatch;
    private volatile @Nullable String failure;
    private volatile @Nullable String broken;

    ProjectionProgress(final ProjectedOffsets offsets, final Clock clock) {
        this.offsets = offsets;
        this.clock = clock;
        this.lastBatch = clock.instant();
    }

    /** A partition has caught up when it is projected up to its end at assignment, or up to a later record. */
    private record CatchUpTarget(long end, Instant since) {}

    void assigned(final TopicPartition partition, final long end, final long next) {
        assigned = true;
        if (next < end) {
            goals.put(partition, new CatchUpTarget(end, clock.instant()));
        }
    }

    void revoked(final Collection<TopicPartition> partitions) {
        partitions.forEach(goals::remove);
    }

    void batchStarted() {
        busy = true;
    }

    void batchDone(final List<ProjectedRecord> records) {
        for (final ProjectedRecord record : records) {
            final TopicPartition partition = new TopicPartition(
                    record.position().topic().topicName(), record.position().partition());
            goals.computeIfPresent(
                    partition,
                    (p, goal) -> record.position().offset() + 1 >= goal.end
                                    || record.time().isAfter(goal.since)
                            ? null
                            : goal);
        }
        lastBatch = clock.instant();
        busy = false;
    }

    /**
     * Compares with the consumer's positions, because the last offsets of a partition may contain only transaction markers.
     *
     * @param positions next offset of the consumer by partition
     */
    void consumerAt(final Map<TopicPartition, Long> positions) {
        if (!busy && lastBatch.plus(SETTLED).isBefore(clock.instant())) {
            positions.forEach((partition, next) ->
                    goals.computeIfPresent(partition, (p, goal) -> next >= goal.end ? null : goal));
        }
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
