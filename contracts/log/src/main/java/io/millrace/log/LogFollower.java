package io.millrace.log;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows partitions with a consumer and a thread of its own, for readers whose position on the log matters (ADR 15). After trouble it goes
 * on with a new consumer.
 */
public final class LogFollower implements AutoCloseable {

    /** What is read. */
    public interface Reader {

        /** Assigns the partitions of a new consumer and seeks to where it begins. */
        void begin(KafkaConsumer<byte[], byte[]> from);

        /**
         * Polls and handles the records; called again until the follower is closed.
         *
         * @throws KafkaException if it may succeed later; then it begins again
         */
        void read(KafkaConsumer<byte[], byte[]> from);
    }

    private static final Logger LOG = LoggerFactory.getLogger(LogFollower.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final String name;
    private final Supplier<Map<String, Object>> client;
    private final Reader reader;
    private final Thread thread;
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /**
     * @param name of what is read, in the plural
     * @param client settings of the consumer, see {@link Clients#consumer}
     */
    public LogFollower(final String name, final Supplier<Map<String, Object>> client, final Reader reader) {
        this.name = name;
        this.client = client;
        this.reader = reader;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    private boolean isStopped() {
        return stopped.getCount() == 0;
    }

    private void run() {
        while (!isStopped()) {
            try (KafkaConsumer<byte[], byte[]> opened = Clients.openTail(client.get())) {
                consumer = opened;
                reader.begin(opened);
                while (!isStopped()) {
                    reader.read(opened);
                }
            } catch (final WakeupException e) {
                LOG.debug("stopped reading {}", name);
            } catch (final KafkaException e) {
                if (!isStopped()) {
                    LOG.warn("cannot read {} from Kafka; retrying: {}", name, e.getMessage());
                    pause();
                }
            }
        }
    }

    private void pause() {
        try {
            stopped.await(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        } catch (final InterruptedException e) {
            stopped.countDown();
        }
    }

    @Override
    public void close() {
        stopped.countDown();
        final KafkaConsumer<byte[], byte[]> open = consumer;
        if (open != null) {
            open.wakeup();
        }
        try {
            thread.join(STOP_TIMEOUT);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
