package io.millrace.log;

import io.millrace.model.ClusterId;
import io.millrace.model.protocol.Topic;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clusters on the log: an agent creates the topics of its cluster when it starts for the first time, and their readers find them here. A
 * cluster counts when all topics that the reader wants are there. Thread-safe.
 */
public final class ClusterTopics {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterTopics.class);
    private static final Duration EVERY = Duration.ofSeconds(1);
    /** The answer grows with the number of topics, so a large site is asked less often. */
    private static final Duration EVERY_PER_TOPIC = Duration.ofMillis(2);

    private final Admin admin;
    private final List<Topic> wanted;
    private final Runnable onChange;
    private volatile Set<ClusterId> clusters = Set.of();
    private volatile boolean asking;
    private volatile long askAt = System.nanoTime();

    /**
     * @param topics what the reader wants; those that clusters share do not matter
     * @param onChange called when a cluster has appeared or gone, by a thread of the client, which must not be blocked
     */
    public ClusterTopics(final Admin admin, final Collection<Topic> topics, final Runnable onChange) {
        this.admin = admin;
        this.wanted = topics.stream().filter(Topic::isPerCluster).distinct().toList();
        this.onChange = onChange;
    }

    /** The clusters that were there when the broker was asked last; the same object until they change. */
    public Set<ClusterId> known() {
        return clusters;
    }

    /**
     * Asks the broker now and waits for the answer.
     *
     * @throws KafkaException if it does not answer
     */
    public Set<ClusterId> read() {
        if (wanted.isEmpty()) {
            return clusters;
        }
        try {
            return accept(Topics.existing(admin));
        } catch (final IllegalStateException e) {
            throw new KafkaException(e.getMessage(), e);
        }
    }

    /** Called often, by one thread; asks about once a second without waiting for the answer. */
    public void look() {
        if (wanted.isEmpty() || asking || System.nanoTime() - askAt < 0) {
            return;
        }
        asking = true;
        admin.listTopics().names().whenComplete((names, failure) -> {
            asking = false;
            if (failure == null) {
                askAt = System.nanoTime() + Math.max(EVERY.toNanos(), EVERY_PER_TOPIC.toNanos() * names.size());
                final Set<ClusterId> before = clusters;
                if (!accept(names).equals(before)) {
                    onChange.run();
                }
            } else {
                askAt = System.nanoTime() + EVERY.toNanos();
                LOG.debug("the topics cannot be listed: {}", failure.getMessage());
            }
        });
    }

    private synchronized Set<ClusterId> accept(final Set<String> names) {
        final Set<ClusterId> found = complete(names);
        if (!found.equals(clusters)) {
            clusters = found;
        }
        return clusters;
    }

    private Set<ClusterId> complete(final Set<String> names) {
        final Set<ClusterId> found = new HashSet<>();
        for (final String name : names) {
            if (Topic.find(name).filter(wanted.getFirst()::equals).isPresent()) {
                Topic.clusterOf(name).ifPresent(found::add);
            }
        }
        return found.stream()
                .filter(cluster -> wanted.stream().allMatch(topic -> names.contains(topic.topicName(cluster))))
                .collect(Collectors.toUnmodifiableSet());
    }
}
