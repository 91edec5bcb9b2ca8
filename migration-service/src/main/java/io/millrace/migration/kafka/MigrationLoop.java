package io.millrace.migration.kafka;

import io.millrace.log.DecidingLoop;
import io.millrace.log.LoopHealth;
import io.millrace.log.LoopSettings;
import io.millrace.log.Topics;
import io.millrace.migration.domain.Migration;
import io.millrace.migration.domain.Policy;
import io.millrace.migration.domain.Tally;
import io.millrace.model.protocol.Topic;
import java.time.Clock;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The loop of migration-service: submissions have one partition, so one instance decides for all clusters. */
public final class MigrationLoop implements AutoCloseable {

    private final String bootstrapServers;
    private final DecidingLoop loop;
    private final Tally ignored = new Tally();
    private volatile Map<String, Long> live = Map.of();

    public MigrationLoop(final String bootstrapServers, final Policy policy, final Clock clock) {
        this.bootstrapServers = bootstrapServers;
        this.loop = new DecidingLoop(
                LoopSettings.of(bootstrapServers, "migration-service", Topic.SUBMISSIONS)
                        .withContext(
                                Topic.GLOBAL_JOBS,
                                Topic.CLUSTER_STATE,
                                Topic.COMMANDS,
                                Topic.OUTCOMES,
                                Topic.JOB_ENDS,
                                Topic.TRANSFERS,
                                Topic.PLANS),
                partition -> new MigrationDecider(new Migration(policy, ignored), counts -> live = counts),
                clock);
    }

    /** Creates the topics that are missing and starts; throws if the broker does not answer. */
    public void start(final int partitions, final int replication) {
        Topics.create(bootstrapServers, partitions, replication);
        loop.start();
    }

    public LoopHealth health() {
        return loop.health();
    }

    /** Why it cannot do its work; null if it can. */
    public @Nullable String trouble() {
        final LoopHealth health = loop.health();
        if (health.isReady()) {
            return null;
        }
        return health.trouble() == null ? "replaying the log" : health.trouble();
    }

    /** How many global jobs are in this state, as of the last decision. */
    public long live(final String state) {
        return live.getOrDefault(state, 0L);
    }

    /** What was read and meant nothing, by kind. */
    public Map<String, Long> ignored() {
        return ignored.counts();
    }

    @Override
    public void close() {
        loop.close();
    }
}
