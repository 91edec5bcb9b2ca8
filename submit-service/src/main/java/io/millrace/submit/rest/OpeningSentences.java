package io.millrace.submit.rest;

import io.millrace.submit.domain.Opening;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a priority opens, and what a higher one would, for people. */
final class OpeningSentences {

    private OpeningSentences() {}

    static List<String> of(final List<Opening> openings, final long priority) {
        final List<String> sentences = new ArrayList<>();
        say("Its priority " + priority + " opens", openings, Opening::open, sentences);
        say(
                "A higher priority than its " + priority + " opens",
                openings,
                opening -> !opening.open() && opening.at() > priority,
                sentences);
        return sentences;
    }

    private static void say(
            final String what,
            final List<Opening> openings,
            final Predicate<Opening> which,
            final List<String> sentences) {
        final List<Opening> told = openings.stream().filter(which).toList();
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
