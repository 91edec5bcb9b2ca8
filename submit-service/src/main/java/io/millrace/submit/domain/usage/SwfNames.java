package io.millrace.submit.domain.usage;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** Assigns numbers to the names in one text, from 1 in order of first use, and defines them in comments. */
final class SwfNames {

    /** Kinds of names; each has its own numbers. */
    enum Kind {
        USER("User"),
        GROUP("Group"),
        QUEUE("Queue"),
        PARTITION("Partition");

        private final String label;

        Kind(final String label) {
            this.label = label;
        }
    }

    private final Map<Kind, Map<String, Integer>> numbers = new EnumMap<>(Kind.class);
    private final StringBuilder definitions = new StringBuilder();

    int number(final Kind kind, final String name) {
        final Map<String, Integer> known = numbers.computeIfAbsent(kind, any -> new HashMap<>());
        final Integer number = known.putIfAbsent(name, known.size() + 1);
        if (number != null) {
            return number;
        }
        definitions.append("; %s: %d %s\n".formatted(kind.label, known.size(), name));
        return known.size();
    }

    /** The comments that define the names since the last call. */
    String takeDefinitions() {
        final String taken = definitions.toString();
        definitions.setLength(0);
        return taken;
    }
}
