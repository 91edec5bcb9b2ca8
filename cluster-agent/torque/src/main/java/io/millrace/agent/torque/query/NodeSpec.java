package io.millrace.agent.torque.query;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The value of {@code -l nodes=}: {@code 2:ppn=4:bigmem+1:ppn=8:gpus=2}, {@code n1:ppn=2+n2}. Each part is a number of nodes or the
 * name of one, with the resources requested on each.
 */
public record NodeSpec(List<Part> parts) {

    /**
     * @param nodes number of nodes
     * @param ppn processors per node
     * @param gpus GPUs per node
     * @param properties required properties of each node; a node's name counts as a property
     */
    public record Part(int nodes, int ppn, int gpus, List<String> properties) {
        public Part {
            properties = List.copyOf(properties);
        }

        @Override
        public String toString() {
            return nodes + properties.stream().map(word -> ":" + word).collect(Collectors.joining()) + ":ppn=" + ppn
                    + (gpus > 0 ? ":gpus=" + gpus : "");
        }
    }

    public NodeSpec {
        parts = List.copyOf(parts);
    }

    /** The default of a job without a request: one core. */
    static final NodeSpec ONE = new NodeSpec(List.of(new Part(1, 1, 0, List.of())));

    public static NodeSpec read(final String text) {
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
        final List<String> properties = new ArrayList<>();
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
                properties.add(piece);
            }
        }
        return new Part(Math.max(1, nodes), Math.max(1, ppn), gpus, properties);
    }

    /**
     * Distributes cores over nodes as evenly as possible.
     *
     * @param nodes number of nodes; 0 for as few of the largest nodes as possible
     * @param largest cores of the largest node
     */
    public static NodeSpec of(final int cores, final int nodes, final int largest, final int gpus) {
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

    public int nodes() {
        return parts.stream().mapToInt(Part::nodes).sum();
    }

    public int cores() {
        return parts.stream().mapToInt(part -> part.nodes() * part.ppn()).sum();
    }

    public int gpus() {
        return parts.stream().mapToInt(part -> part.nodes() * part.gpus()).sum();
    }

    /** The form of {@code -l nodes=}. */
    @Override
    public String toString() {
        return parts.stream().map(Part::toString).collect(Collectors.joining("+"));
    }
}
