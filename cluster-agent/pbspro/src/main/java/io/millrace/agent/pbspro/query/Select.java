package io.millrace.agent.pbspro.query;

import io.millrace.model.NodeName;
import io.millrace.model.cluster.Placement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the {@code select} statement ({@code 2:ncpus=8:host=n1+1:ncpus=4:bigmem=True}) and the {@code place} statement of a job.
 */
final class Select {

    private Select() {}

    static Placement placement(final @Nullable String select, final @Nullable String place) {
        final Set<String> features = new LinkedHashSet<>();
        final List<NodeName> nodes = new ArrayList<>();
        final Set<Integer> perChunk = new LinkedHashSet<>();
        for (final String chunk : (select == null ? "" : select).split("\\+")) {
            for (final String part : chunk.split(":")) {
                final int equals = part.indexOf('=');
                if (equals < 0) {
                    continue; // the number of chunks
                }
                final String name = part.substring(0, equals);
                final String value = part.substring(equals + 1);
                if (name.equals("host") || name.equals("vnode")) {
                    nodes.add(NodeName.of(value));
                } else if (value.matches("(?i)true|t|y")) {
                    features.add(name);
                } else if (name.equals("ncpus") && value.matches("\\d{1,9}")) {
                    perChunk.add(Integer.parseInt(value));
                }
            }
        }
        final boolean oneSize = perChunk.size() == 1 && isScattered(place);
        return new Placement(
                features.stream().sorted().toList(),
                oneSize ? perChunk.iterator().next() : 0,
                place != null && place.contains("excl"),
                nodes,
                Map.of());
    }

    /** Whether each chunk gets a node of its own. */
    static boolean isScattered(final @Nullable String place) {
        return place != null && place.contains("scatter");
    }
}
