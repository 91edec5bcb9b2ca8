package io.millrace.submit.kafka;

import io.millrace.submit.ProjectedOffsets;
import io.millrace.submit.domain.log.ProjectedRecord;
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

/** How far this instance is with the partitions it has, and what keeps it. */
@ApplicationScoped
class ProjectionProgress {

    /** After so long without a batch nothing polled is still on its way to the projection. */
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

    /** A partition is caught up when its end as of the assignment, or a record written since, is projected. */
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

    void begun() {
        busy = true;
    }

    void passed(final List<ProjectedRecord> records) {
        for (final ProjectedRecord record : records) {
            final TopicPartition partition = new TopicPartition(
                    record.at().topic().topicName(), record.at().partition());
            goals.computeIfPresent(
                    partition,
                    (p, goal) -> record.at().offset() + 1 >= goal.end
                                    || record.time().isAfter(goal.since)
                            ? null
                            : goal);
        }
        lastBatch = clock.instant();
        busy = false;
    }

    /**
     * Looks at what the consumer has read: the last offsets of a partition may hold no record but the marks of transactions.
     *
     * @param positions what the consumer reads next
     */
    void read(final Map<TopicPartition, Long> positions) {
        if (!busy && lastBatch.plus(SETTLED).isBefore(clock.instant())) {
            positions.forEach((partition, next) ->
                    goals.computeIfPresent(partition, (p, goal) -> next >= goal.end ? null : goal));
        }
    }

    void works() {
        failure = null;
    }

    void fails(final String because) {
        failure = because;
    }

    /** Only a person can put this right. */
    void isBroken(final String because) {
        broken = because;
    }

    boolean databaseAnswers() {
        try {
            offsets.ask();
            return true;
        } catch (RuntimeException e) {
            return false; // the caller says so, with the error that made it ask
        }
    }

    /** What keeps readers from seeing what stands on the log; empty if nothing does. */
    Optional<String> whyBehind() {
        if (broken != null || failure != null) {
            return Optional.ofNullable(broken != null ? broken : failure);
        }
        if (!assigned) {
            return Optional.of("no partition is assigned yet");
        }
        return goals.isEmpty()
                ? Optional.empty()
                : Optional.of("still reading " + goals.size() + " partitions to the end they had at the assignment");
    }
}
