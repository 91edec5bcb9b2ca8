package io.millrace.log.loop;

import io.millrace.log.loop.PoisonSearch.Range;
import io.millrace.log.loop.SetAsideRecords.Place;
import io.millrace.model.protocol.Topic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Of one shard: up to where the log was decided on, how often the decision has failed in the same way since then, and the records that the
 * shard skips because its decisions failed on them. Used by the shard's thread only.
 */
final class PoisonWatch {

    /** After so many equal failures, a record is searched for. A failure that passes by itself needs fewer. */
    private static final int EQUAL_FAILURES = 3;

    private final Map<Place, String> skipped = new HashMap<>();
    private final Set<FailureKind> found = new HashSet<>();
    private Map<TopicPartition, Long> decidedUpTo = Map.of();
    private @Nullable FailureKind failing;
    private int failures;

    /** Everything up to these offsets was decided on. */
    void decided(final Map<TopicPartition, Long> positions) {
        decidedUpTo = positions;
        failing = null;
        failures = 0;
    }

    /** @return whether a record is to be searched for: it has failed often enough, or a record has caused this failure before */
    boolean failed(final FailureKind kind) {
        failures = failing != null && kind.isSame(failing) ? failures + 1 : 1;
        failing = kind;
        return failures >= EQUAL_FAILURES || found.stream().anyMatch(kind::isSame);
    }

    /**
     * Finds the record on which decisions fail, among those after the last good decision, or else in the whole log.
     *
     * @param read up to where the failed session has read
     */
    Optional<Place> search(
            final FailureKind kind, final Map<TopicPartition, Long> read, final PoisonSearch.Trial trial) {
        final Optional<Place> recent = new PoisonSearch(ranges(decidedUpTo, read), trial).culprit();
        final Optional<Place> culprit = recent.isPresent() || decidedUpTo.isEmpty()
                ? recent
                : new PoisonSearch(ranges(Map.of(), read), trial).culprit();
        failures = 0;
        if (culprit.isPresent()) {
            found.add(kind);
        } else {
            found.removeIf(kind::isSame);
        }
        return culprit;
    }

    /** State first, so that of a state and a request that fail together, the request is found. */
    private static List<Range> ranges(final Map<TopicPartition, Long> from, final Map<TopicPartition, Long> to) {
        final List<Range> ranges = new ArrayList<>();
        to.forEach((tp, end) -> ranges.add(new Range(tp, Math.min(end, from.getOrDefault(tp, 0L)), end)));
        ranges.sort(Comparator.<Range, ReplayStart>comparing(
                        range -> ReplayStart.of(Topic.named(range.partition().topic())))
                .thenComparing(range -> range.partition().topic())
                .thenComparing(range -> range.partition().partition()));
        return ranges;
    }

    void skip(final Place place, final String reason) {
        skipped.put(place, reason);
    }

    /** Why the record is skipped; null if it is not. */
    @Nullable
    String skipReason(final ConsumerRecord<byte[], byte[]> record) {
        return skipped.isEmpty() ? null : skipped.get(Place.of(record));
    }
}
