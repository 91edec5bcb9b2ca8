package io.millrace.submit.domain.usage;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Assigns numbers to names, from 1 in order of first use; the numbers are the same in all files of a folder. */
public final class SwfNames {

    /** Kinds of names; each has its own numbers. */
    public enum Kind {
        USER("User"),
        GROUP("Group"),
        QUEUE("Queue"),
        PARTITION("Partition");

        private final String label;

        Kind(final String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    private final Map<Kind, List<String>> known = new EnumMap<>(Kind.class);

    public SwfNames(final Map<Kind, List<String>> known) {
        for (final Kind kind : Kind.values()) {
            this.known.put(kind, new ArrayList<>(known.getOrDefault(kind, List.of())));
        }
    }

    int number(final Kind kind, final String name) {
        final List<String> names = names(kind);
        final int place = names.indexOf(name);
        if (place >= 0) {
            return place + 1;
        }
        names.add(name);
        return names.size();
    }

    private List<String> names(final Kind kind) {
        return known.computeIfAbsent(kind, any -> new ArrayList<>());
    }

    /** The number of names of a kind. */
    public int count(final Kind kind) {
        return names(kind).size();
    }

    /** The name that has a number. */
    public String name(final Kind kind, final int number) {
        return names(kind).get(number - 1);
    }

    /** All names, for storage. */
    public Map<Kind, List<String>> all() {
        final Map<Kind, List<String>> all = new EnumMap<>(Kind.class);
        known.forEach((kind, names) -> all.put(kind, List.copyOf(names)));
        return all;
    }
}
