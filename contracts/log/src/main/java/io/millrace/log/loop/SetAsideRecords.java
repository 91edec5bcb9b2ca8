package io.millrace.log.loop;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The records that a loop does not process, with the reason: unreadable ones, those that its decider cannot apply, and those on which its
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

    private final Map<Place, String> reasons = new LinkedHashMap<>();

    /** @return whether it was not set aside before */
    synchronized boolean add(final Place place, final String reason) {
        return reasons.size() < MOST && reasons.putIfAbsent(place, reason) == null;
    }

    synchronized int count() {
        return reasons.size();
    }

    /** The latest ones, one sentence each. */
    synchronized List<String> latest() {
        return reasons.entrySet().stream()
                .skip(Math.max(0, reasons.size() - SHOWN))
                .map(entry -> entry.getKey() + ": " + entry.getValue())
                .toList();
    }
}
