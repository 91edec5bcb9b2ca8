package io.millrace.submit.kafka;

import io.millrace.model.protocol.Topic;
import io.millrace.submit.ProjectedOffsets;
import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.common.annotation.Identifier;
import io.smallrye.reactive.messaging.kafka.KafkaConsumerRebalanceListener;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jboss.logging.Logger;

/** Begins each assigned partition at the offset stored beside the rows; the group's own offsets are never used. */
@ApplicationScoped
@Identifier(ProjectionConsumer.CHANNEL)
class SeekToStoredOffsets implements KafkaConsumerRebalanceListener {

    private static final Logger LOG = Logger.getLogger(SeekToStoredOffsets.class);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ProjectedOffsets offsets;
    private final ProjectionProgress progress;
    private volatile boolean stopping;

    SeekToStoredOffsets(final ProjectedOffsets offsets, final ProjectionProgress progress) {
        this.offsets = offsets;
        this.progress = progress;
    }

    @Override
    public void onPartitionsAssigned(final Consumer<?, ?> consumer, final Collection<TopicPartition> partitions) {
        final Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        for (final TopicPartition partition : partitions) {
            final long next = stored(partition);
            final long end = ends.getOrDefault(partition, 0L);
            if (next > end) {
                final String why = "the read model has " + partition + " up to " + next + ", the log ends at " + end
                        + ": it is another log. Give this service an empty database; it fills it from the log";
                progress.isBroken(why);
                throw new IllegalStateException(why);
            }
            consumer.seek(partition, next);
            progress.assigned(partition, end, next);
        }
        progress.works();
        LOG.infof("projecting %d partitions", consumer.assignment().size());
    }

    @Override
    public void onPartitionsRevoked(final Consumer<?, ?> consumer, final Collection<TopicPartition> partitions) {
        progress.revoked(partitions);
    }

    @Override
    public void onPartitionsLost(final Consumer<?, ?> consumer, final Collection<TopicPartition> partitions) {
        progress.revoked(partitions);
    }

    /** Waits for the database: to begin elsewhere would lose or repeat. */
    private long stored(final TopicPartition partition) {
        while (true) {
            try {
                return offsets.next(Topic.named(partition.topic()), partition.partition());
            } catch (RuntimeException e) {
                progress.fails("the stored offsets cannot be read: " + e.getMessage());
                LOG.warnf("the offset of %s cannot be read; trying again in %s: %s", partition, PAUSE, e.getMessage());
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
