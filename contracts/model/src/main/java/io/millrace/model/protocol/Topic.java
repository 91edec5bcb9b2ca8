package io.millrace.model.protocol;

import io.millrace.model.ClusterId;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The topics of Millrace. What an agent writes, and what only one agent reads, is one Kafka topic per cluster, for example
 * {@code millrace.cluster-state.alpha}: the access lists of the broker then prove which cluster an event comes from (ADR 38).
 */
public enum Topic {
    CLUSTER_STATE("cluster-state", Spread.PER_CLUSTER, null),
    JOB_ENDS("job-ends", Spread.PER_CLUSTER, Duration.ofDays(400)),
    COMMANDS("commands", Spread.PER_CLUSTER, Duration.ofDays(7)),
    OUTCOMES("outcomes", Spread.PER_CLUSTER, Duration.ofDays(7)),
    CLASSES("classes", Spread.BY_CLUSTER, null),
    ENTITLEMENTS("entitlements", Spread.BY_CLUSTER, null),
    PLANS("plans", Spread.BY_CLUSTER, null),
    USAGE("usage", Spread.BY_CLUSTER, null),
    LEDGER("ledger", Spread.BY_CLUSTER, Duration.ofDays(400)),
    AVAILABILITY("availability", Spread.BY_CLUSTER, null),
    QUOTAS("quotas", Spread.ONE, null),
    LOCKS("locks", Spread.ONE, null),
    NUMBERS("job-numbers", Spread.ONE, null),
    SUBMISSIONS("submissions", Spread.ONE, Duration.ofDays(400)),
    GLOBAL_JOBS("global-jobs", Spread.ONE, null),
    TRANSFERS("transfers", Spread.ONE, null),
    REQUESTS("requests", Spread.ONE, Duration.ofDays(30)),
    FILE_REQUESTS("file-requests", Spread.PER_CLUSTER, Duration.ofMinutes(10)),
    FILE_ANSWERS("file-answers", Spread.PER_CLUSTER, Duration.ofMinutes(10));

    /** How records spread over partitions. */
    public enum Spread {
        /** One Kafka topic of one partition for each cluster, created by its agent. */
        PER_CLUSTER,
        /**
         * All records of a cluster in one partition, the same partition number on every such topic; an event about no single
         * cluster goes to partition 0.
         */
        BY_CLUSTER,
        /** One partition: one order for all. */
        ONE
    }

    private static final Map<String, Topic> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toMap(topic -> topic.name, Function.identity()));

    private final String name;
    private final Spread spread;
    private final @Nullable Duration retention;

    Topic(final String name, final Spread spread, final @Nullable Duration retention) {
        this.name = "millrace." + name;
        this.spread = spread;
        this.retention = retention;
    }

    /** The Kafka topic's name; of a topic per cluster, what the names of its Kafka topics begin with. */
    public String topicName() {
        return name;
    }

    /**
     * The name of the Kafka topic with the events about a cluster.
     *
     * @param cluster null for an event about no single cluster
     * @throws IllegalArgumentException if the topic is one per cluster and no cluster is given
     */
    public String topicName(final @Nullable ClusterId cluster) {
        if (!isPerCluster()) {
            return name;
        }
        if (cluster == null) {
            throw new IllegalArgumentException(name + " is one topic per cluster: an event on it needs a cluster");
        }
        return name + "." + cluster;
    }

    /** Whether each cluster has its own Kafka topic. */
    public boolean isPerCluster() {
        return spread == Spread.PER_CLUSTER;
    }

    public Spread spread() {
        return spread;
    }

    /** Compacted topics keep the newest event of each key for ever. */
    public boolean isCompacted() {
        return retention == null;
    }

    /** How long records are kept; null for compacted topics. */
    public @Nullable Duration retention() {
        return retention;
    }

    /** The topic of this Kafka name; an unknown name is a programming error. */
    public static Topic named(final String topicName) {
        return find(topicName)
                .orElseThrow(() -> new IllegalArgumentException("'" + topicName + "' is not a topic of Millrace"));
    }

    /** The topic of this Kafka name; empty if Kafka uses the name for something else. */
    public static Optional<Topic> find(final String topicName) {
        final Topic shared = BY_NAME.get(topicName);
        if (shared != null) {
            return shared.isPerCluster() ? Optional.empty() : Optional.of(shared);
        }
        final Topic family = BY_NAME.get(topicName.substring(0, Math.max(0, topicName.lastIndexOf('.'))));
        return family != null && family.isPerCluster() && isOfCluster(topicName, family)
                ? Optional.of(family)
                : Optional.empty();
    }

    private static boolean isOfCluster(final String topicName, final Topic family) {
        return ClusterId.isValid(topicName.substring(family.name.length() + 1));
    }

    /** The cluster that all events on the Kafka topic of this name are about; empty for a topic that clusters share. */
    public static Optional<ClusterId> clusterOf(final String topicName) {
        final Topic topic = named(topicName);
        return topic.isPerCluster()
                ? Optional.of(ClusterId.of(topicName.substring(topic.name.length() + 1)))
                : Optional.empty();
    }
}
