package io.millrace.classifier.kafka;

import io.millrace.classifier.domain.ClassModel;
import io.millrace.log.DecidingLoop;
import io.millrace.log.LoopHealth;
import io.millrace.log.LoopSettings;
import io.millrace.log.Topics;
import io.millrace.model.protocol.Topic;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The two loops of classifier-service: local jobs, divided by cluster, and global jobs. */
public final class ClassifierLoops implements AutoCloseable {

    private final String bootstrapServers;
    private final DecidingLoop local;
    private final DecidingLoop global;

    public ClassifierLoops(final String bootstrapServers, final ClassModel model, final Clock clock) {
        this.bootstrapServers = bootstrapServers;
        this.local = new DecidingLoop(
                LoopSettings.of(bootstrapServers, "classifier-service", Topic.CLUSTER_STATE, Topic.CLASSES),
                partition -> new LocalJobs(model),
                clock);
        this.global = new DecidingLoop(
                LoopSettings.of(bootstrapServers, "classifier-global", Topic.SUBMISSIONS)
                        .withContext(Topic.GLOBAL_JOBS, Topic.CLASSES),
                partition -> new GlobalJobs(model),
                clock);
    }

    /** Creates the topics that are missing and starts; throws if the broker does not answer. */
    public void start(final int partitions, final int replication) {
        Topics.create(bootstrapServers, partitions, replication);
        local.start();
        global.start();
    }

    public List<LoopHealth> health() {
        return List.of(local.health(), global.health());
    }

    /** Why it cannot do its work; null if it can. */
    public @Nullable String trouble() {
        for (final LoopHealth health : health()) {
            if (!health.isReady()) {
                return health.trouble() == null ? "replaying the log" : health.trouble();
            }
        }
        return null;
    }

    @Override
    public void close() {
        local.close();
        global.close();
    }
}
