package io.millrace.classifier.domain;

import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.plan.Classification;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts the work of the stages over all jobs that this process classifies, whatever their model; for metrics. */
public final class StageCounters {

    private final Map<String, LongAdder> counters = new ConcurrentHashMap<>();

    /** All kinds: of each stage, the jobs with several candidates before it, those with fewer after it, and the removed candidates. */
    public static List<String> kinds() {
        return Arrays.stream(Stage.values())
                .flatMap(stage -> Stream.of("entered", "reduced", "removed").map(what -> kind(stage, what)))
                .toList();
    }

    private static String kind(final Stage stage, final String what) {
        return stage.label() + "-" + what;
    }

    public void add(final Classification found) {
        int before = found.candidateCount();
        int s = 0;
        for (final Stage stage : found.values().keySet()) {
            final int after = found.remaining(s++);
            count(kind(stage, "entered"), before > 1 ? 1 : 0);
            count(kind(stage, "reduced"), after < before ? 1 : 0);
            count(kind(stage, "removed"), before - after);
            before = after;
        }
    }

    private void count(final String kind, final long by) {
        if (by > 0) {
            counters.computeIfAbsent(kind, k -> new LongAdder()).add(by);
        }
    }

    /** By kind; a kind that is not among them has none. */
    public Map<String, Long> counts() {
        return counters.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().sum()));
    }
}
