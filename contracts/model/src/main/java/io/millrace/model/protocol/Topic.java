package io.millrace.model.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The topics of Millrace. */
public enum Topic {
    CLUSTER_STATE("cluster-state", Spread.BY_CLUSTER, null),
    JOB_ENDS("job-ends", Spread.BY_CLUSTER, Duration.ofDays(400)),
    COMMANDS("commands", Spread.BY_CLUSTER, Duration.ofDays(7)),
    OUTCOMES("outcomes", Spread.BY_CLUSTER, Duration.ofDays(7)),
    CLASSES("classes", Spread.BY_CLUSTER, null),
    ENTITLEMENTS("entitlements", Spread.BY_CLUSTER, null),
    PLANS("plans", Spread.BY_CLUSTER, null),
    USAGE("usage", Spread.BY_CLUSTER, null),
    LEDGER("ledger", Spread.BY_CLUSTER, Duration.ofDays(400)),
    AVAILABILITY("availability", Spread.BY_CLUSTER, null),
    QUOTAS("quotas", Spread.ONE, null),
    SUBMISSIONS("submissions", Spread.ONE, Duration.ofDays(400)),
    GLOBAL_JOBS("global-jobs", Spread.ONE, null),
    TRANSFERS("transfers", Spread.ONE, null),
    REQUESTS("requests", Spread.ONE, Duration.ofDays(30)),
    FILE_REQUESTS("file-requests", Spread.BY_CLUSTER, Duration.ofMinutes(10)),
    FILE_ANSWERS("file-answers", Spread.BY_CLUSTER, Duration.ofMinutes(10));

    /** How records spread over partitions. */
    public enum Spread {
        /**
         * All records of a cluster in one partition, the same partition number on every such topic; an event about no single
         * cluster goes to partition 0.
         */
        BY_CLUSTER,
        /** One partition: one order for all. */
        ONE
    }

    private final String name;
    private final Spread spread;
    private final @Nullable Duration retention;

    Topic(final String name, final Spread spread, final @Nullable Duration retention) {
        this.name = "millrace." + name;
        this.spread = spread;
        this.retention = retention;
    }

    /** The Kafka topic's name. */
    public String topicName() {
        return name;
    }

    /** The topic for unreadable messages of this topic. */
    public String deadLetterName() {
        return name + ".dlq";
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
        for (final Topic topic : values()) {
            if (topic.name.equals(topicName)) {
                return topic;
            }
        }
        throw new IllegalArgumentException("'" + topicName + "' is not a topic of Millrace");
    }
}
