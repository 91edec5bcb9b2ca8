package io.millrace.log;

import io.millrace.model.UserName;
import io.millrace.model.policy.UserLock;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users that operators have locked, read from the whole topic at the start and followed from then on. Until the topic has been read, nobody
 * can tell whether a user is locked, so every user is refused.
 */
public final class LockedUsers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockedUsers.class);
    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A topic that does not exist yet has no end. */
    private static final Duration END = Duration.ofSeconds(5);

    private final String bootstrapServers;
    private final String group;
    private final Map<String, Object> client;
    private final Map<UserName, UserLock> locks = new ConcurrentHashMap<>();
    private final CountDownLatch complete = new CountDownLatch(1);
    private final Thread thread =
            Thread.ofPlatform().daemon().name("locked users").unstarted(this::run);
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private volatile long patientUntil_ns = System.nanoTime();
    private volatile boolean stopping;

    /**
     * @param group name of the reader; it joins no consumer group
     * @param client further properties of the Kafka client
     */
    public LockedUsers(final String bootstrapServers, final String group, final Map<String, Object> client) {
        this.bootstrapServers = bootstrapServers;
        this.group = group;
        this.client = Map.copyOf(client);
    }

    public void start() {
        patientUntil_ns = System.nanoTime() + PATIENCE.toNanos();
        thread.start();
    }

    /** Waits until the topic has been read once, but not for longer than half a minute after the start. */
    public boolean awaitKnown() {
        try {
            return complete.await(Math.max(0, patientUntil_ns - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Whether the topic has been read once, so that the answers are complete. */
    public boolean areKnown() {
        return complete.getCount() == 0;
    }

    /** Why nothing is done for the user now; empty if the user is not locked. Waits as {@link #awaitKnown} does. */
    public Optional<String> refusal(final UserName user) {
        if (!awaitKnown()) {
            return Optional.of("it is not known yet whether user '" + user + "' is locked; retry");
        }
        return lastChange(user).filter(UserLock::locked).map(UserLock::refusal);
    }

    /** The last change of a user; empty if the user was never locked. */
    public Optional<UserLock> lastChange(final UserName user) {
        return Optional.ofNullable(locks.get(user));
    }

    /** All locked users. */
    public List<UserLock> all() {
        return locks.values().stream()
                .filter(UserLock::locked)
                .sorted(Comparator.comparing(UserLock::user))
                .toList();
    }

    private void run() {
        while (!stopping) {
            try (KafkaConsumer<byte[], byte[]> next =
                    Clients.openTail(Clients.consumer(bootstrapServers, group, client))) {
                consumer = next;
                follow(next);
            } catch (final WakeupException e) {
                LOG.debug("stopped");
            } catch (final KafkaException e) {
                LOG.warn("cannot read the locked users from Kafka; retrying: {}", e.getMessage());
            }
            pause();
        }
    }

    private void follow(final KafkaConsumer<byte[], byte[]> from) {
        final TopicPartition topic = new TopicPartition(Topic.LOCKS.topicName(), 0);
        from.assign(List.of(topic));
        from.seekToBeginning(List.of(topic));
        final long end = from.endOffsets(List.of(topic), END).getOrDefault(topic, 0L);
        while (!stopping) {
            if (!areKnown() && from.position(topic) >= end) {
                complete.countDown();
            }
            from.poll(areKnown() ? POLL : Duration.ofMillis(100)).forEach(this::read);
        }
    }

    private void read(final ConsumerRecord<byte[], byte[]> record) {
        try {
            EventCodec.read(record)
                    .map(LogRecord::event)
                    .filter(UserLock.class::isInstance)
                    .map(UserLock.class::cast)
                    .ifPresent(lock -> locks.put(lock.user(), lock));
        } catch (final UnreadableMessageException e) {
            LOG.warn("cannot read the lock of a user: {}", e.getMessage());
        }
    }

    private void pause() {
        try {
            if (!stopping) {
                Thread.sleep(RETRY.toMillis());
            }
        } catch (final InterruptedException e) {
            stopping = true;
        }
    }

    @Override
    public void close() {
        stopping = true;
        final KafkaConsumer<byte[], byte[]> open = consumer;
        if (open != null) {
            open.wakeup();
        }
        try {
            thread.join(POLL.toMillis());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
