package io.millrace.log.loop;

import io.millrace.log.loop.SetAsideRecords.Place;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Which record makes a decision fail: finds the first record with which it fails, and then the record without which it does not. The two
 * differ where a record takes effect with a later one, as an observation does with its marker. Pure; each trial replays the log.
 */
final class PoisonSearch {

    /** Records that are suspected: those of a partition from an offset up to another one, exclusively. */
    record Range(TopicPartition partition, long from, long to) {
        private long size() {
            return Math.max(0, to - from);
        }
    }

    /**
     * Which records of the suspected ranges a trial applies; it applies everything before them, and nothing after them.
     *
     * @param before of each partition, up to this offset, exclusively
     * @param also one record more
     */
    record Selection(
            Map<TopicPartition, Long> before, @Nullable Place also) {
        boolean contains(final TopicPartition partition, final long offset) {
            return offset < before.getOrDefault(partition, Long.MAX_VALUE)
                    || (also != null
                            && also.offset() == offset
                            && also.partition().equals(partition));
        }
    }

    interface Trial {
        /** Whether the decision fails as before if only these records are applied. */
        boolean fails(Selection selection);
    }

    private final List<Range> suspects;
    private final Trial trial;
    private final long size;

    /** @param suspects in the order of suspicion: of records that are the cause together, the one in the later range is found */
    PoisonSearch(final List<Range> suspects, final Trial trial) {
        this.suspects = List.copyOf(suspects);
        this.trial = trial;
        this.size = suspects.stream().mapToLong(Range::size).sum();
    }

    /** Empty if the decision also fails without the suspected records, or does not fail with them. */
    Optional<Place> culprit() {
        if (size == 0 || fails(0, null) || !fails(size, null)) {
            return Optional.empty();
        }
        final long trigger = first(size, count -> fails(count, null));
        final Place last = place(trigger - 1);
        if (trigger == 1 || fails(0, last)) {
            return Optional.of(last);
        }
        return Optional.of(place(first(trigger - 1, count -> fails(count, last)) - 1));
    }

    private boolean fails(final long count, final @Nullable Place also) {
        return trial.fails(new Selection(before(count), also));
    }

    /** The smallest count from 1 that fails; {@code failing} does. */
    private static long first(final long failing, final LongPredicate fails) {
        long good = 0;
        long bad = failing;
        while (bad - good > 1) {
            final long middle = good + (bad - good) / 2;
            if (fails.test(middle)) {
                bad = middle;
            } else {
                good = middle;
            }
        }
        return bad;
    }

    private Map<TopicPartition, Long> before(final long count) {
        final Map<TopicPartition, Long> before = new HashMap<>();
        long left = count;
        for (final Range range : suspects) {
            final long taken = Math.min(left, range.size());
            before.put(range.partition(), range.from() + taken);
            left -= taken;
        }
        return before;
    }

    private Place place(final long index) {
        long left = index;
        for (final Range range : suspects) {
            if (left < range.size()) {
                return new Place(range.partition(), range.from() + left);
            }
            left -= range.size();
        }
        throw new IllegalArgumentException(index + " is not below " + size);
    }
}
