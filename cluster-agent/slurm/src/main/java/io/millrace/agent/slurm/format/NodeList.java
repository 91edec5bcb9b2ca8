package io.millrace.agent.slurm.format;

import io.millrace.model.NodeName;
import java.util.ArrayList;
import java.util.List;

/** Reads Slurm's host lists: {@code n[1-3,07],login}, {@code rack[1-2]n[01-16]}. */
public final class NodeList {

    /** Limits of a list that no cluster exceeds: nodes, and brackets in one name. */
    private static final int MOST_NODES = 200_000;

    private static final int MOST_BRACKETS = 8;

    private NodeList() {}

    /** @throws IllegalArgumentException if a bracket is not closed */
    public static List<NodeName> read(final String text) {
        final List<NodeName> nodes = new ArrayList<>();
        for (final String part : split(text)) {
            expand("", part, 0, nodes);
        }
        return nodes;
    }

    /** Splits at commas outside brackets. */
    private static List<String> split(final String text) {
        final List<String> parts = new ArrayList<>();
        int depth = 0;
        int from = 0;
        for (int at = 0; at < text.length(); at++) {
            final char c = text.charAt(at);
            depth += c == '[' ? 1 : c == ']' ? -1 : 0;
            if (c == ',' && depth == 0) {
                parts.add(text.substring(from, at));
                from = at + 1;
            }
        }
        if (from < text.length()) {
            parts.add(text.substring(from));
        }
        return parts;
    }

    private static void expand(final String head, final String rest, final int brackets, final List<NodeName> nodes) {
        final int open = rest.indexOf('[');
        if (brackets > MOST_BRACKETS || nodes.size() >= MOST_NODES) {
            throw new IllegalArgumentException("the host list has more than " + MOST_NODES + " nodes or more than "
                    + MOST_BRACKETS + " brackets in a name");
        }
        if (open < 0) {
            nodes.add(NodeName.of(head + rest));
            return;
        }
        final int close = rest.indexOf(']', open);
        if (close < 0) {
            throw new IllegalArgumentException("'" + rest + "' is not a valid host list: missing ']'");
        }
        for (final String range : rest.substring(open + 1, close).split(",")) {
            final String[] ends = range.split("-", 2);
            final long last = Long.parseLong(ends[ends.length - 1]);
            for (long number = Long.parseLong(ends[0]); number <= last; number++) {
                final String padded = ("%0" + ends[0].length() + "d").formatted(number);
                expand(head + rest.substring(0, open) + padded, rest.substring(close + 1), brackets + 1, nodes);
            }
        }
    }
}
