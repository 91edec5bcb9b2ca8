package io.millrace.log.loop;

import io.millrace.log.OutgoingEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Divides a large decision into parts with one transaction each, so that none exceeds the time-out of transactions. */
final class DecisionParts {

    /** About 1 MiB of plans, which a loaded broker takes within a second. */
    static final int MAX_RECORDS = 2_000;

    private DecisionParts() {}

    /**
     * The first part contains all records that must be written together, however many they are; its transaction also has the offsets. The others
     * follow in their order.
     *
     * @param isRecomputed see {@link Decider#isRecomputed}
     * @return at least one part
     */
    static List<List<OutgoingEvent>> of(
            final List<OutgoingEvent> decision, final Predicate<OutgoingEvent> isRecomputed) {
        if (decision.size() <= MAX_RECORDS) {
            return List.of(decision);
        }
        final var byRecomputed = decision.stream().collect(Collectors.partitioningBy(isRecomputed));
        final List<OutgoingEvent> ordered = new ArrayList<>(byRecomputed.get(false));
        final int together = ordered.size();
        ordered.addAll(byRecomputed.get(true));
        final List<List<OutgoingEvent>> parts = new ArrayList<>();
        int from = 0;
        while (from < ordered.size()) {
            final int size = Math.max(MAX_RECORDS, together - from);
            final int to = Math.min(ordered.size(), from + size);
            parts.add(ordered.subList(from, to));
            from = to;
        }
        return parts;
    }
}
