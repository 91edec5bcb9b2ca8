package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.ModelChanges;
import io.millrace.classifier.domain.ModelPreview;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.file.ModelFile;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.policy.ClassModelSet;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The model that a shard classifies with, from when it is opened until another one is set.
 *
 * @param set as it is, or will be, on the log
 * @param isPublished whether it is on the log
 */
record ModelInForce(ClassModel model, ClassModelSet set, boolean isPublished) {

    private static final Logger LOG = LoggerFactory.getLogger(ModelInForce.class);
    private static final String NAME = "class model";
    private static final Duration POLL = Duration.ofSeconds(1);

    /**
     * Reads the log.
     *
     * @param file the configured model
     */
    static ModelInForce read(final String bootstrapServers, final String file, final Instant now) {
        return of(file, onLog(bootstrapServers), now);
    }

    private static ModelInForce of(final String file, final @Nullable ClassModelSet onLog, final Instant now) {
        final ClassModel configured = ModelFile.parse(NAME, file);
        final ClassModelSet set = ModelChanges.fromFile(file, ModelPreview.warnings(configured), onLog, now)
                .orElse(onLog);
        if (set == null || set.model().equals(file)) {
            return new ModelInForce(configured, Objects.requireNonNull(set), set.equals(onLog));
        }
        LOG.info("Model file not used: decision=kept author={} version={}", set.author(), set.version());
        try {
            return new ModelInForce(ModelFile.parse(NAME, set.model()), set, true);
        } catch (final RuntimeException | StackOverflowError e) {
            LOG.error(
                    "Version {} of the class model cannot be read by this release, so the model file applies: reason={}",
                    set.version(),
                    e.getMessage());
            return new ModelInForce(configured, set, true);
        }
    }

    /** Whether another model has replaced this one. */
    boolean isReplacedBy(final ClassModelSet other) {
        return other.version() > set.version()
                || other.version() == set.version() && !other.model().equals(set.model());
    }

    private static @Nullable ClassModelSet onLog(final String bootstrapServers) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                Clients.openConsumer(Clients.consumer(bootstrapServers, "classifier-model", Map.of()))) {
            final TopicPartition only = new TopicPartition(Topic.QUOTAS.topicName(), 0);
            consumer.assign(List.of(only));
            final long end = consumer.endOffsets(List.of(only)).getOrDefault(only, 0L);
            consumer.seekToBeginning(List.of(only));
            ClassModelSet last = null;
            while (consumer.position(only) < end) {
                for (final ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    final ClassModelSet found = model(record);
                    last = found == null ? last : found;
                }
            }
            return last;
        }
    }

    private static @Nullable ClassModelSet model(final ConsumerRecord<byte[], byte[]> record) {
        try {
            return EventCodec.read(record)
                    .map(read -> read.event() instanceof ClassModelSet set ? set : null)
                    .orElse(null);
        } catch (final UnreadableMessageException e) {
            return null; // the loop that owns the key reports it
        }
    }
}
