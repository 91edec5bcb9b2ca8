package io.millrace.submit.kafka;

import io.millrace.submit.projection.ProjectedOffsets;
import io.millrace.submit.projection.WaitForProjection;
import io.millrace.submit.store.Offsets;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts each assigned partition at the offset that is stored with the rows; offsets of the consumer group are not used. */
@ApplicationScoped
public class SeekToStoredOffsets {

    private static final Logger LOG = LoggerFactory.getLogger(SeekToStoredOffsets.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ProjectedOffsets offsets;
    private final ProjectionProgress progress;
    private final WaitForProjection waiting;
    private volatile boolean stopping;

    SeekToStoredOffsets(
            final ProjectedOffsets offsets, final ProjectionProgress progress, final WaitForProjection waiting) {
        this.offsets = offsets;
        this.progress = progress;
        this.waiting = waiting;
    }

    ConsumerRebalanceListener of(final Consumer<?, ?> consumer) {
        return new ConsumerRebalanceListener() {
            @Override
            public void onPartitionsAssigned(final Collection<TopicPartition> partitions) {
                assigned(consumer, partitions);
            }

            @Override
            public void onPartitionsRevoked(final Collection<TopicPartition> partitions) {
                revoked(partitions);
            }
        };
    }

    /** Moves the consumer to the stored offsets of partitions that it has been assigned. */
    public void assigned(final Consumer<?, ?> consumer, final Collection<TopicPartition> partitions) {
        final Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        for (final TopicPartition partition : partitions) {
            final long next = stored(partition);
            final long end = ends.getOrDefault(partition, 0L);
            if (next > end) {
                final String reason = "the read model contains " + partition + " up to offset " + next
                        + ", but the log ends at " + end
                        + ", so it belongs to another log. Configure an empty database; the service fills it from the log";
                progress.setFatal(reason);
                throw new IllegalStateException(reason);
            }
            consumer.seek(partition, next);
            progress.assigned(partition, end, next);
            waiting.assigned(projected(partition), next);
        }
        progress.clearFailure();
        LOG.atInfo().addKeyValue("partitions", consumer.assignment().size()).log("projection assigned");
    }

    private void revoked(final Collection<TopicPartition> partitions) {
        progress.revoked(partitions);
        partitions.forEach(partition -> waiting.revoked(projected(partition)));
    }

    private static Offsets.Partition projected(final TopicPartition partition) {
        return new Offsets.Partition(partition.topic(), partition.partition());
    }

    /** Waits for the database, because any other start offset would skip or repeat records. */
    private long stored(final TopicPartition partition) {
        while (true) {
            try {
                return offsets.next(partition.topic(), partition.partition());
            } catch (RuntimeException e) {
                progress.setFailure("the stored offsets cannot be read: " + e.getMessage());
                LOG.atWarn()
                        .addKeyValue("partition", partition)
                        .addKeyValue("retryIn", PAUSE)
                        .addKeyValue("reason", e.getMessage())
                        .log("stored offset cannot be read");
                sleep();
            }
        }
    }

    void stop(@Observes final ShutdownEvent event) {
        stopping = true;
    }

    private void sleep() {
        if (stopping) {
            throw new IllegalStateException("stopping");
        }
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the database", e);
        }
    }
}
