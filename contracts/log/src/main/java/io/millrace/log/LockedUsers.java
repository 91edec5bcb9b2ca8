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
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The users that operators have locked, read from the whole topic at the start and followed from then on. Until the topic has been read, nobody
 * can tell whether a user is locked, so every user is refused.
 */
public final class LockedUsers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LockedUsers.class);
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    /** A topic that does not exist yet has no end. */
    private static final Duration END = Duration.ofSeconds(5);

    private static final TopicPartition TOPIC = new TopicPartition(Topic.LOCKS.topicName(), 0);

    private final Map<UserName, UserLock> locks = new ConcurrentHashMap<>();
    private final CountDownLatch complete = new CountDownLatch(1);
    private final LogFollower follower;
    private volatile long patientUntil_ns = System.nanoTime();
    /** Of the topic when the current consumer began. */
    private long end;

    /**
     * @param group name of the reader; it joins no consumer group
     * @param client further properties of the Kafka client
     */
    public LockedUsers(final String bootstrapServers, final String group, final Map<String, Object> client) {
        follower = new LogFollower(
                "locked users", () -> Clients.consumer(bootstrapServers, group, client), new FromBegin());
    }

    public void start() {
        patientUntil_ns = System.nanoTime() + PATIENCE.toNanos();
        follower.start();
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

    private final class FromBegin implements LogFollower.Reader {

        @Override
        public void begin(final KafkaConsumer<byte[], byte[]> from) {
            from.assign(List.of(TOPIC));
            from.seekToBeginning(List.of(TOPIC));
            end = from.endOffsets(List.of(TOPIC), END).getOrDefault(TOPIC, 0L);
        }

        @Override
        public void read(final KafkaConsumer<byte[], byte[]> from) {
            if (!areKnown() && from.position(TOPIC) >= end) {
                complete.countDown();
            }
            from.poll(areKnown() ? POLL : Duration.ofMillis(100)).forEach(LockedUsers.this::read);
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

    @Override
    public void close() {
        follower.close();
    }
}
