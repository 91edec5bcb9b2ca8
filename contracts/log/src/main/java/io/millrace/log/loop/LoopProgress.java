package io.millrace.log.loop;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * When a deciding loop was last up to date. Every {@link #INTERVAL}, each instance writes the instant of each of its shards into the metadata of an
 * offset from which no shard starts. A shard that is not running, replays without end or cannot commit keeps its last instant.
 */
public final class LoopProgress {

    static final Duration INTERVAL = Duration.ofSeconds(30);

    private static final String MARK = "up to date at ";

    private LoopProgress() {}

    static OffsetAndMetadata mark(final long offset, final Instant upToDateAt) {
        return new OffsetAndMetadata(offset, MARK + upToDateAt);
    }

    /**
     * When all shards of a loop had decided; empty if none has.
     *
     * @param committed the committed offsets of the loop's group. The mark of a shard has its partition number; an older one may remain on another
     *     topic
     */
    public static Optional<Instant> decidedAt(final Map<TopicPartition, OffsetAndMetadata> committed) {
        final Map<Integer, Instant> shards = new HashMap<>();
        committed.forEach((tp, offset) ->
                instant(offset).ifPresent(at -> shards.merge(tp.partition(), at, (a, b) -> a.isAfter(b) ? a : b)));
        return shards.values().stream().min(Comparator.naturalOrder());
    }

    private static Optional<Instant> instant(final OffsetAndMetadata offset) {
        try {
            return offset != null && offset.metadata().startsWith(MARK)
                    ? Optional.of(Instant.parse(offset.metadata().substring(MARK.length())))
                    : Optional.empty();
        } catch (final DateTimeException e) {
            return Optional.empty();
        }
    }
}
