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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The letters of one batch on their way: those of one key one behind the other, keys beside each other. */
final class DeliveryBatch {

    private static final Logger LOG = Logger.getLogger(DeliveryBatch.class);
    private static final Duration TO_STOP = Duration.ofSeconds(10);

    private final DeliveryWorker courier;
    private final UndeliveredEvents undeliverable;
    private final ExecutorService ways;
    private final boolean none;
    private final AtomicInteger left = new AtomicInteger();
    private volatile @Nullable RuntimeException trouble;

    private record Posted(ConsumerRecord<byte[], byte[]> record, HandlerEvent letter) {}

    private record Key(String topic, ByteBuffer bytes) {}

    DeliveryBatch(final DeliveryWorker courier, final UndeliveredEvents undeliverable, final ConsumerRecords<byte[], byte[]> batch) {
        this.courier = courier;
        this.undeliverable = undeliverable;
        final Map<Key, List<Posted>> byKey = new LinkedHashMap<>();
        batch.forEach(record -> HandlerEvents.of(record, courier.handler().filter())
                .ifPresent(letter -> byKey.computeIfAbsent(
                                new Key(record.topic(), ByteBuffer.wrap(record.key())), key -> new ArrayList<>())
                        .add(new Posted(record, letter))));
        none = byKey.isEmpty();
        byKey.values().forEach(letters -> left.addAndGet(letters.size()));
        ways = Executors.newFixedThreadPool(
                courier.handler().parallel(),
                Thread.ofPlatform()
                        .daemon()
                        .name("handler-" + courier.handler().name() + "-", 0)
                        .factory());
        byKey.values().forEach(letters -> ways.execute(() -> deliver(letters)));
        ways.shutdown();
    }

    private void deliver(final List<Posted> letters) {
        try {
            for (final Posted posted : letters) {
                courier.deliver(posted.letter(), because -> undeliverable.put(posted.record(), because));
                left.decrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            trouble = new IllegalStateException("deliveries were broken off", e);
        } catch (RuntimeException e) {
            LOG.errorf(
                    e,
                    "deliveries broke off by a mistake of ours: handler=%s",
                    courier.handler().name());
            trouble = e;
        }
    }

    /** Letters that are neither delivered nor put aside yet. */
    int left() {
        return left.get();
    }

    /** Whether the batch holds nothing for the handler. */
    boolean none() {
        return none;
    }

    /**
     * Waits until all are delivered or put aside, at most so long.
     *
     * @throws RuntimeException if some never will be: then none of the batch counts as delivered
     */
    boolean done(final Duration patience) {
        final boolean ended = ended(patience);
        final RuntimeException failed = trouble;
        if (ended && failed != null) {
            throw failed;
        }
        return ended;
    }

    /** Breaks off what is on its way; whoever gets the partitions begins it anew. */
    void breakOff() {
        ways.shutdownNow();
        if (!ended(TO_STOP)) {
            LOG.warnf("deliveries do not stop: handler=%s", courier.handler().name());
        }
    }

    private boolean ended(final Duration patience) {
        try {
            return ways.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
