package io.millrace.log.loop;

import io.millrace.log.Clients;
import io.millrace.log.ClusterTopics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this instance in its group: the assigned partitions and the generation. Its consumer reads no records. Partitions
 * move one by one (cooperative rebalance), so shards that stay need no replay.
 */
final class GroupMembership implements ConsumerRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration LEAVING = Duration.ofSeconds(5);
    private static final Duration PAUSE_AFTER_TROUBLE = Duration.ofSeconds(2);

    private final LoopSettings settings;
    private final @Nullable String instance;
    private final BrokerMonitor broker;
    private final ClusterTopics clusters;
    private final Admin admin;
    private final BiConsumer<GroupMembership, Collection<Integer>> assigned;
    private final Consumer<Collection<Integer>> revoked;
    private final Supplier<Map<TopicPartition, OffsetAndMetadata>> progress;
    private final Thread thread;
    private long showProgressAt = System.nanoTime();
    private volatile boolean closed;
    private volatile @Nullable String trouble;
    private volatile @Nullable ConsumerGroupMetadata metadata;
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;

    /** @param instance see {@link DecidingLoop#start(String)} */
    GroupMembership(
            final LoopSettings settings,
            final @Nullable String instance,
            final BrokerMonitor broker,
            final ClusterTopics clusters,
            final Admin admin,
            final BiConsumer<GroupMembership, Collection<Integer>> assigned,
            final Consumer<Collection<Integer>> revoked,
            final Supplier<Map<TopicPartition, OffsetAndMetadata>> progress) {
        this.settings = settings;
        this.instance = instance;
        this.broker = broker;
        this.clusters = clusters;
        this.admin = admin;
        this.assigned = assigned;
        this.revoked = revoked;
        this.progress = progress;
        this.thread = new Thread(this::run, settings.service() + "-membership");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            final KafkaConsumer<byte[], byte[]> mine = Clients.openConsumer(properties());
            consumer = mine;
            try {
                mine.subscribe(List.of(settings.groupTopic().topicName()), this);
                while (!closed) {
                    broker.look();
                    clusters.look();
                    mine.poll(POLL);
                    metadata = mine.groupMetadata();
                    showProgress(mine);
                }
            } catch (final WakeupException e) {
                LOG.debug("{}: membership ends", settings.service());
            } catch (final FencedInstanceIdException e) {
                closed = true;
                trouble = "another instance named '" + instance
                        + "' has taken over; if both should run, set millrace.kafka.instance to different names";
                LOG.error("{}: {}", settings.service(), trouble);
            } catch (final RuntimeException e) {
                LOG.error("{}: leaves the group after an error and joins again", settings.service(), e);
                Sleep.sleep(PAUSE_AFTER_TROUBLE);
            } finally {
                leave(mine);
            }
        }
    }

    /** Without a transaction: no shard starts from these offsets. */
    private void showProgress(final KafkaConsumer<byte[], byte[]> mine) {
        final Map<TopicPartition, OffsetAndMetadata> now =
                System.nanoTime() - showProgressAt < 0 ? Map.of() : progress.get();
        if (now.isEmpty()) {
            return;
        }
        showProgressAt = System.nanoTime() + LoopProgress.INTERVAL.toNanos();
        mine.commitAsync(now, (offsets, failure) -> {
            if (failure != null) {
                LOG.debug("{}: cannot show its progress", settings.service(), failure);
                showProgressAt = System.nanoTime() + PAUSE_AFTER_TROUBLE.toNanos();
            }
        });
    }

    /** Revokes all partitions, which stops their shards, and leaves the group if it can be reached. */
    private void leave(final KafkaConsumer<byte[], byte[]> mine) {
        try {
            mine.close(CloseOptions.groupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP)
                    .withTimeout(LEAVING));
        } catch (final RuntimeException e) {
            LOG.warn("{}: could not leave the consumer group cleanly: {}", settings.service(), e.toString());
        }
    }

    /** The client for questions to the group's coordinator and to other brokers. */
    Admin admin() {
        return admin;
    }

    /** The clusters whose topics are on the broker. */
    ClusterTopics clusters() {
        return clusters;
    }

    private Map<String, Object> properties() {
        final Map<String, Object> properties =
                Clients.consumer(settings.bootstrapServers(), settings.service(), Map.of());
        properties.put("partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
        // The partitions of a crashed instance move after this time; a short stall of a busy machine must not move
        // them.
        properties.put("session.timeout.ms", 15_000);
        properties.put("heartbeat.interval.ms", 3_000);
        // Also the rebalance time-out: how long the group waits for members that were lost with the broker.
        properties.put("max.poll.interval.ms", 20_000);
        // Its heartbeat thread wakes up this often.
        properties.put("retry.backoff.ms", 500);
        if (instance != null) {
            properties.put("group.instance.id", instance);
        }
        properties.putAll(settings.client());
        return properties;
    }

    @Override
    public void onPartitionsAssigned(final Collection<TopicPartition> partitions) {
        final KafkaConsumer<byte[], byte[]> mine = consumer;
        if (mine == null) {
            return;
        }
        mine.pause(partitions);
        metadata = mine.groupMetadata();
        assigned.accept(this, numbers(partitions));
    }

    @Override
    public void onPartitionsRevoked(final Collection<TopicPartition> partitions) {
        revoked.accept(numbers(partitions));
    }

    private static List<Integer> numbers(final Collection<TopicPartition> partitions) {
        return partitions.stream().map(TopicPartition::partition).sorted().toList();
    }

    /** Whether the group has assigned this instance its partitions, possibly none. */
    boolean isJoined() {
        final ConsumerGroupMetadata known = metadata;
        return known != null && known.generationId() >= 0;
    }

    /** Why this instance is not in the group and will not join it again; null if it is or will. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** The generation that offsets are committed with; the broker refuses them if the group has another one. */
    ConsumerGroupMetadata metadata() {
        final ConsumerGroupMetadata known = metadata;
        if (known == null) {
            throw new IllegalStateException(settings.service() + ": has not joined its group");
        }
        return known;
    }

    /** Whether the group's coordinator assigns the partition to this instance now; false if it does not answer. */
    boolean isOurs(final int partition) {
        final TopicPartition wanted = new TopicPartition(settings.groupTopic().topicName(), partition);
        try {
            return admin
                    .describeConsumerGroups(List.of(settings.service()))
                    .all()
                    .get(10, TimeUnit.SECONDS)
                    .values()
                    .stream()
                    .flatMap(group -> group.members().stream())
                    .filter(member -> member.consumerId().equals(metadata().memberId()))
                    .anyMatch(member -> member.assignment().topicPartitions().contains(wanted));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (final ExecutionException | TimeoutException e) {
            LOG.debug(
                    "{}: the coordinator does not report the owner of partition {}", settings.service(), partition, e);
            return false;
        }
    }

    void close() {
        closed = true;
        final KafkaConsumer<byte[], byte[]> mine = consumer;
        if (mine != null) {
            mine.wakeup();
        }
        try {
            thread.join(Duration.ofSeconds(30).toMillis());
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
