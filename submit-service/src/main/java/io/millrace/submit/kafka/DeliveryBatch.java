package io.millrace.submit.kafka;

import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.handlers.DeliveryWorker;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deliveries of one batch: sequential for events of the same key, concurrent for different keys. */
final class DeliveryBatch {

    private static final Logger LOG = LoggerFactory.getLogger(DeliveryBatch.class);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(10);

    private final DeliveryWorker worker;
    private final UndeliveredEvents undelivered;
    private final ExecutorService executor;
    private final boolean none;
    private final AtomicInteger left = new AtomicInteger();
    private volatile @Nullable RuntimeException failure;

    private record Pending(ConsumerRecord<byte[], byte[]> record, HandlerEvent event) {}

    private record Key(String topic, ByteBuffer bytes) {}

    DeliveryBatch(
            final DeliveryWorker worker,
            final UndeliveredEvents undelivered,
            final ConsumerRecords<byte[], byte[]> batch) {
        this.worker = worker;
        this.undelivered = undelivered;
        final Map<Key, List<Pending>> byKey = new LinkedHashMap<>();
        final Map<ConsumerRecord<byte[], byte[]>, Throwable> poisoned = new LinkedHashMap<>();
        for (final ConsumerRecord<byte[], byte[]> record : batch) {
            try {
                HandlerEvents.of(record, worker.handler().filter())
                        .ifPresent(event -> byKey.computeIfAbsent(
                                        new Key(record.topic(), ByteBuffer.wrap(record.key())),
                                        key -> new ArrayList<>())
                                .add(new Pending(record, event)));
            } catch (RuntimeException | StackOverflowError e) {
                poisoned.put(record, e);
            }
        }
        none = byKey.isEmpty() && poisoned.isEmpty();
        byKey.values().forEach(events -> left.addAndGet(events.size()));
        executor = Executors.newFixedThreadPool(
                worker.handler().parallel(),
                Thread.ofPlatform()
                        .daemon()
                        .name("handler-" + worker.handler().name() + "-", 0)
                        .factory());
        byKey.values().forEach(events -> executor.execute(() -> deliverAll(events)));
        executor.execute(() -> setAsideAll(poisoned));
        executor.shutdown();
    }

    private void deliverAll(final List<Pending> events) {
        try {
            for (final Pending pending : events) {
                deliver(pending);
                left.decrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new IllegalStateException("deliveries were interrupted", e);
        }
    }

    /** An event that cannot be processed becomes a dead letter, so that it does not hold up those after it. */
    private void deliver(final Pending pending) throws InterruptedException {
        try {
            worker.deliver(pending.event(), reason -> undelivered.put(pending.record(), reason));
        } catch (RuntimeException | StackOverflowError e) {
            setAside(pending.record(), e);
        }
    }

    private void setAsideAll(final Map<ConsumerRecord<byte[], byte[]>, Throwable> poisoned) {
        try {
            for (final Map.Entry<ConsumerRecord<byte[], byte[]>, Throwable> entry : poisoned.entrySet()) {
                setAside(entry.getKey(), entry.getValue());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = new IllegalStateException("deliveries were interrupted", e);
        }
    }

    private void setAside(final ConsumerRecord<byte[], byte[]> record, final Throwable cause)
            throws InterruptedException {
        LOG.atError()
                .setCause(cause)
                .addKeyValue("handler", worker.handler().name())
                .log("an event cannot be processed");
        worker.deadLetter("cannot be processed: " + cause, reason -> undelivered.put(record, reason));
    }

    /** The number of events that are neither delivered nor dead-lettered. */
    int left() {
        return left.get();
    }

    /** Whether the batch contains no event for the handler. */
    boolean none() {
        return none;
    }

    /**
     * Waits until all events are delivered or dead-lettered, at most for the timeout.
     *
     * @throws RuntimeException if a delivery failed internally; then no event of the batch counts as delivered
     */
    boolean done(final Duration timeout) {
        final boolean ended = ended(timeout);
        final RuntimeException failed = failure;
        if (ended && failed != null) {
            throw failed;
        }
        return ended;
    }

    /** Interrupts running deliveries; the next owner of the partitions repeats them. */
    void cancel() {
        executor.shutdownNow();
        if (!ended(STOP_TIMEOUT)) {
            LOG.atWarn().addKeyValue("handler", worker.handler().name()).log("deliveries do not stop");
        }
    }

    private boolean ended(final Duration timeout) {
        try {
            return executor.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
