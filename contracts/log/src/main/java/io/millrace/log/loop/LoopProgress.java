package io.millrace.log.loop;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * When a deciding loop was last up to date. Each shard writes the instant into the metadata of its committed offsets, at least every
 * {@link DecisionWriter#OFFSETS_EVERY}. A loop that is not running, replays without end or cannot commit does not.
 */
public final class LoopProgress {

    private static final String MARK = "decided ";

    private LoopProgress() {}

    static Map<TopicPartition, OffsetAndMetadata> marked(
            final Map<TopicPartition, OffsetAndMetadata> positions, final Instant now) {
        final Map<TopicPartition, OffsetAndMetadata> marked = new HashMap<>();
        positions.forEach((tp, position) ->
                marked.put(tp, new OffsetAndMetadata(position.offset(), position.leaderEpoch(), MARK + now)));
        return marked;
    }

    /**
     * When all shards of a loop had decided; empty if none has.
     *
     * @param committed the committed offsets of the loop's group. A shard commits those of one partition number of all its topics, and
     *     those of a topic that an earlier release read are never updated
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
