package io.millrace.submit.rest.jobs;

import io.millrace.submit.domain.policy.PartitionOpening;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a priority opens, and what a higher one would, for people. */
final class PartitionAccessText {

    private PartitionAccessText() {}

    static List<String> of(final List<PartitionOpening> openings, final long priority) {
        final List<String> sentences = new ArrayList<>();
        say("Its priority " + priority + " opens", openings, PartitionOpening::open, sentences);
        say(
                "A higher priority than its " + priority + " opens",
                openings,
                opening -> !opening.open() && opening.at() > priority,
                sentences);
        return sentences;
    }

    private static void say(
            final String what,
            final List<PartitionOpening> openings,
            final Predicate<PartitionOpening> which,
            final List<String> sentences) {
        final List<PartitionOpening> told = openings.stream().filter(which).toList();
        if (told.isEmpty()) {
            return;
        }
        final Map<Long, List<String>> byThreshold = new LinkedHashMap<>();
        told.forEach(opening -> byThreshold
                .computeIfAbsent(opening.at(), at -> new ArrayList<>())
                .add(opening.partition().value()));
        sentences.add(what
                + (told.size() == 1 ? " partition " : " partitions ")
                + byThreshold.entrySet().stream()
                        .map(from -> String.join(", ", from.getValue()) + " (from " + from.getKey() + " on)")
                        .collect(Collectors.joining(", ")));
    }
}
