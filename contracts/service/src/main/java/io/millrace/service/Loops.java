package io.millrace.service;

import io.millrace.log.Topics;
import io.millrace.log.loop.DecidingLoop;
import io.millrace.log.loop.LoopHealth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The deciding loops of one service, started and stopped together. */
public final class Loops implements AutoCloseable {

    private final String bootstrapServers;
    private final List<DecidingLoop> loops;

    private Loops(final String bootstrapServers, final List<DecidingLoop> loops) {
        this.bootstrapServers = bootstrapServers;
        this.loops = loops;
    }

    /**
     * Nothing runs yet.
     *
     * @param bootstrapServers the brokers on which the topics are created, {@code host:port,…}
     * @param loops in the order in which they start; they end the other way round
     */
    public static Loops of(final String bootstrapServers, final DecidingLoop... loops) {
        return new Loops(bootstrapServers, List.of(loops));
    }

    /** Creates the topics that are missing and starts; throws if the broker does not answer. */
    public void start(final int partitions, final int replication) {
        start(partitions, replication, null);
    }

    /**
     * As {@link #start(int, int)}.
     *
     * @param instance see {@link DecidingLoop#start(String)}
     */
    void start(final int partitions, final int replication, final @Nullable String instance) {
        Topics.create(
                bootstrapServers,
                loops.stream().map(DecidingLoop::part).distinct().toList(),
                partitions,
                replication);
        loops.forEach(loop -> loop.start(instance));
    }

    public List<LoopHealth> health() {
        return loops.stream().map(DecidingLoop::health).toList();
    }

    /** Why they cannot do their work; null if they can. */
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
        loops.reversed().forEach(DecidingLoop::close);
    }
}
