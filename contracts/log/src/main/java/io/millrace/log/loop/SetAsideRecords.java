package io.millrace.log.loop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that a loop does not process: unreadable ones, those that its decider cannot apply, and those on which its
 * decisions fail. Kept while the process runs, and found again after a restart if they are still on the log. Thread-safe.
 */
final class SetAsideRecords {

    /** A record on the log. */
    record Place(TopicPartition partition, long offset) {
        static Place of(final ConsumerRecord<?, ?> record) {
            return new Place(new TopicPartition(record.topic(), record.partition()), record.offset());
        }

        @Override
        public String toString() {
            return partition + "@" + offset;
        }
    }

    private static final int SHOWN = 5;
    /** More are skipped as well, but not counted. */
    private static final int MOST = 10_000;

    private final Set<Place> places = new LinkedHashSet<>();

    /** @return whether it was not set aside before */
    synchronized boolean add(final Place place) {
        return places.size() < MOST && places.add(place);
    }

    synchronized int count() {
        return places.size();
    }

    /** Where the latest ones are. Their reasons may contain parts of them, and everybody may read the health of a service. */
    synchronized List<String> latest() {
        return places.stream()
                .skip(Math.max(0, places.size() - SHOWN))
                .map(Place::toString)
                .toList();
    }
}
