package io.millrace.decide;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts the records that a decider ignored, by kind. Thread-safe. */
public final class IgnoredRecords {

    private final Map<String, Long> counts = new ConcurrentHashMap<>();

    public void count(final String kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    public Map<String, Long> counts() {
        return Map.copyOf(counts);
    }
}
