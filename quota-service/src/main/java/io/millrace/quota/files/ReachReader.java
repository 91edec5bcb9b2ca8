package io.millrace.quota.files;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.policy.PartitionReach;
import io.millrace.yaml.MarkedYaml;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/** One item of {@code reach:} in the priority file, e.g. {@code {cluster: alpha, from: main, at: 5000, to: [fast, span]}}. */
final class ReachReader {

    private static final String EXPECTED = "'at' and 'to', and where it holds for less than all 'cluster' or 'from'";

    private final MarkedYaml yaml;
    private @Nullable ClusterId cluster;
    private @Nullable PartitionName from;
    private @Nullable Long at;
    private List<PartitionName> to = List.of();

    private ReachReader(final MarkedYaml yaml) {
        this.yaml = yaml;
    }

    /** @throws IllegalArgumentException naming line and column of what is wrong */
    static PartitionReach read(final MarkedYaml yaml, final Node item) {
        final ReachReader line = new ReachReader(yaml);
        yaml.entries(item, EXPECTED).forEach(line::read);
        final Long threshold = line.at;
        if (threshold == null) {
            throw yaml.wrong(item, "'at' is missing: the priority from which on the partitions are open");
        }
        return yaml.checked(item, () -> new PartitionReach(line.cluster, line.from, threshold, line.to));
    }

    private void read(final NodeTuple entry) {
        final Node value = entry.getValueNode();
        switch (yaml.text(entry.getKeyNode(), EXPECTED)) {
            case "cluster" -> cluster = read(value, ClusterId::of);
            case "from" -> from = read(value, PartitionName::of);
            case "at" -> at = read(value, ReachReader::points);
            case "to" ->
                to = yaml.items(value).stream()
                        .map(name -> read(name, PartitionName::of))
                        .toList();
            default ->
                throw yaml.wrong(
                        entry.getKeyNode(),
                        "'" + yaml.text(entry.getKeyNode(), EXPECTED) + "' is not known; expected " + EXPECTED);
        }
    }

    private <T> T read(final Node node, final Function<String, T> reader) {
        return yaml.checked(node, () -> reader.apply(yaml.text(node, EXPECTED)));
    }

    private static long points(final String text) {
        try {
            return Long.parseLong(text);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
        }
    }
}
