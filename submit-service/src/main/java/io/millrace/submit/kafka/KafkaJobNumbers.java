package io.millrace.submit.kafka;

import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.LogRecord;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.job.NumbersReserved;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.EventPublisher;
import io.millrace.submit.JobNumbers;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.quarkus.runtime.ShutdownEvent;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reserves numbers in blocks on {@code millrace.job-numbers} (ADR 68). Instances may ask for the same block at the same time; its first
 * reservation on the log holds, and the others ask for the next one. What an instance has reserved and not given when it ends is never
 * given.
 */
@ApplicationScoped
class KafkaJobNumbers implements JobNumbers {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaJobNumbers.class);

    /** A block costs two answers of the broker; its rest is lost when the service stops. */
    private static final int BLOCK = 50;

    private static final TopicPartition RESERVATIONS = new TopicPartition(Topic.NUMBERS.topicName(), 0);

    private final KafkaSettings kafka;
    private final Duration timeout;
    private final EventPublisher log;
    private @Nullable KafkaConsumer<byte[], byte[]> reader;
    /** The first number that nobody has reserved, as far as the log was read. */
    private long free = 1;

    private long next;
    private long end;

    KafkaJobNumbers(final KafkaSettings kafka, final SubmitSettings settings, final EventPublisher log) {
        this.kafka = kafka;
        this.timeout = settings.projectionTimeout();
        this.log = log;
    }

    @Override
    public synchronized long next() {
        while (next == end) {
            reserve();
        }
        return next++;
    }

    /** Leaves no numbers if another instance was faster. */
    private void reserve() {
        try {
            final KafkaConsumer<byte[], byte[]> from = reader();
            readUpTo(from, from.endOffsets(List.of(RESERVATIONS), timeout).getOrDefault(RESERVATIONS, 0L));
            final NumbersReserved wanted = new NumbersReserved(free, BLOCK);
            final long at = log.publish(wanted).offset();
            readUpTo(from, at);
            if (free == wanted.first()) {
                next = wanted.first();
                end = wanted.next();
            }
        } catch (final KafkaException e) {
            closeReader();
            throw new RequestRefused(
                    RequestRefused.Kind.UNAVAILABLE,
                    "the log does not answer, so no job number can be reserved; retry");
        }
    }

    private KafkaConsumer<byte[], byte[]> reader() {
        KafkaConsumer<byte[], byte[]> open = reader;
        if (open == null) {
            open = Clients.openTail(Clients.consumer(kafka.bootstrapServers(), "job-numbers", Map.of()));
            open.assign(List.of(RESERVATIONS));
            open.seekToBeginning(List.of(RESERVATIONS));
            free = 1;
            reader = open;
        }
        return open;
    }

    /** Reads the records before an offset, and perhaps later ones of other instances, which are then read again. */
    private void readUpTo(final KafkaConsumer<byte[], byte[]> from, final long offset) {
        final long deadline_ns = System.nanoTime() + timeout.toNanos();
        while (from.position(RESERVATIONS, timeout) < offset) {
            if (System.nanoTime() - deadline_ns > 0) {
                throw new KafkaException("no answer in " + timeout);
            }
            for (final ConsumerRecord<byte[], byte[]> record : from.poll(timeout)) {
                if (record.offset() >= offset) {
                    from.seek(RESERVATIONS, offset);
                    return;
                }
                reserved(record).ifPresent(numbers -> free = Math.max(free, numbers.next()));
            }
        }
    }

    private static Optional<NumbersReserved> reserved(final ConsumerRecord<byte[], byte[]> record) {
        try {
            return EventCodec.read(record)
                    .map(LogRecord::event)
                    .filter(NumbersReserved.class::isInstance)
                    .map(NumbersReserved.class::cast);
        } catch (final UnreadableMessageException e) {
            LOG.warn("the reservation of job numbers at offset {} cannot be read: {}", record.offset(), e.getMessage());
            return Optional.empty();
        }
    }

    synchronized void stop(@Observes final ShutdownEvent event) {
        closeReader();
    }

    private void closeReader() {
        final KafkaConsumer<byte[], byte[]> open = reader;
        if (open != null) {
            reader = null;
            open.close(CloseOptions.timeout(Duration.ZERO));
        }
    }
}
