package io.millrace.submit.rest.jobs;

import io.millrace.submit.domain.policy.PartitionOpening;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Describes which partitions a priority opens, and which a higher priority would open. */
final class PartitionAccessText {

    private PartitionAccessText() {}

    static List<String> of(final List<PartitionOpening> openings, final long priority) {
        final List<String> sentences = new ArrayList<>();
        add("Its priority " + priority + " opens", openings, PartitionOpening::open, sentences);
        add(
                "A priority higher than its " + priority + " would open",
                openings,
                opening -> !opening.open() && opening.minPriority() > priority,
                sentences);
        return sentences;
    }

    private static void add(
            final String what,
            final List<PartitionOpening> openings,
            final Predicate<PartitionOpening> which,
            final List<String> sentences) {
        final List<PartitionOpening> selected = openings.stream().filter(which).toList();
        if (selected.isEmpty()) {
            return;
        }
        final Map<Long, List<String>> byThreshold = new LinkedHashMap<>();
        selected.forEach(opening -> byThreshold
                .computeIfAbsent(opening.minPriority(), at -> new ArrayList<>())
                .add(opening.partition().value()));
        sentences.add(what
                + (selected.size() == 1 ? " partition " : " partitions ")
                + byThreshold.entrySet().stream()
                        .map(from -> String.join(", ", from.getValue()) + " (from priority " + from.getKey() + ")")
                        .collect(Collectors.joining(", ")));
    }
}
