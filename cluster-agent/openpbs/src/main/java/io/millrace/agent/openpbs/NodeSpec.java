package io.millrace.agent.openpbs;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What {@code -l nodes=} asks for: {@code 2:ppn=4:bigmem+1:ppn=8:gpus=2}, {@code n1:ppn=2+n2}; each part is a number of nodes, or one by
 * name, with what each of them must give.
 */
record NodeSpec(List<Part> parts) {

    /**
     * @param nodes how many of this kind
     * @param ppn processors on each
     * @param gpus accelerators on each
     * @param properties properties each of them must have; a node's own name counts as one
     */
    record Part(int nodes, int ppn, int gpus, List<String> properties) {
        Part {
            properties = List.copyOf(properties);
        }

        @Override
        public String toString() {
            return nodes + properties.stream().map(word -> ":" + word).collect(Collectors.joining()) + ":ppn=" + ppn
                    + (gpus > 0 ? ":gpus=" + gpus : "");
        }
    }

    NodeSpec {
        parts = List.copyOf(parts);
    }

    /** One core anywhere is what a job gets that says nothing. */
    static final NodeSpec ONE = new NodeSpec(List.of(new Part(1, 1, 0, List.of())));

    static NodeSpec read(final String text) {
        final int shared = text.indexOf('#'); // OpenPBS 2.3: 2:ppn=4#excl
        final List<Part> parts = new ArrayList<>();
        for (final String part : (shared < 0 ? text : text.substring(0, shared)).split("\\+")) {
            if (!part.isBlank()) {
                parts.add(part(part.strip()));
            }
        }
        return parts.isEmpty() ? ONE : new NodeSpec(parts);
    }

    private static Part part(final String text) {
        int nodes = 1;
        int ppn = 1;
        int gpus = 0;
        final List<String> words = new ArrayList<>();
        final String[] pieces = text.split(":");
        for (int at = 0; at < pieces.length; at++) {
            final String piece = pieces[at].strip();
            if (at == 0 && piece.matches("\\d{1,7}")) {
                nodes = Integer.parseInt(piece);
            } else if (piece.matches("ppn=\\d{1,7}")) {
                ppn = Integer.parseInt(piece.substring(4));
            } else if (piece.matches("gpus=\\d{1,7}")) {
                gpus = Integer.parseInt(piece.substring(5));
            } else if (!piece.isEmpty() && piece.indexOf('=') < 0) {
                words.add(piece);
            }
        }
        return new Part(Math.max(1, nodes), Math.max(1, ppn), gpus, words);
    }

    /**
     * Cores in all over so many nodes, as evenly as can be.
     *
     * @param nodes 0: as few of the largest as hold them
     * @param largest cores of the largest node
     */
    static NodeSpec of(final int cores, final int nodes, final int largest, final int gpus) {
        final int over = nodes > 0 ? Math.min(nodes, cores) : Math.ceilDiv(cores, Math.max(1, largest));
        final int each = gpus == 0 ? 0 : Math.ceilDiv(gpus, over);
        final List<Part> parts = new ArrayList<>();
        if (nodes == 0 && over > 1) {
            final int rest = cores % largest;
            parts.add(new Part(cores / largest, largest, each, List.of()));
            if (rest > 0) {
                parts.add(new Part(1, rest, each, List.of()));
            }
            return new NodeSpec(parts);
        }
        final int more = cores % over;
        if (more > 0) {
            parts.add(new Part(more, cores / over + 1, each, List.of()));
        }
        parts.add(new Part(over - more, cores / over, each, List.of()));
        return new NodeSpec(parts);
    }

    int nodes() {
        return parts.stream().mapToInt(Part::nodes).sum();
    }

    int cores() {
        return parts.stream().mapToInt(part -> part.nodes() * part.ppn()).sum();
    }

    int gpus() {
        return parts.stream().mapToInt(part -> part.nodes() * part.gpus()).sum();
    }

    /** As {@code -l nodes=} takes it. */
    @Override
    public String toString() {
        return parts.stream().map(Part::toString).collect(Collectors.joining("+"));
    }
}
