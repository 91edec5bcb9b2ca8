package io.millrace.transfer.domain;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what was read and meant nothing, by kind; nothing is dropped unseen. */
public final class Tally {

    private final Map<String, Long> counts = new ConcurrentHashMap<>();

    public void count(final String kind) {
        counts.merge(kind, 1L, Long::sum);
    }

    public Map<String, Long> counts() {
        return Map.copyOf(counts);
    }
}
