package io.millrace.backfill.site;

import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.backfill.domain.live.SiteSettings;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Reads the site file: {@code clusters: { alpha: { licences: { ansys: 20 }, windows: [ { from, until, cores, partition, nodes, reason } ] } }}.
 * A file with an error is refused as a whole, with line and column.
 */
public final class SiteFile {

    private static final String CLUSTERS = "clusters, each with 'licences' or 'windows'";
    private static final String LICENCES = "lines 'licence: tokens'";

    private final MarkedYaml yaml;

    private SiteFile(final MarkedYaml yaml) {
        this.yaml = yaml;
    }

    /** @throws IllegalArgumentException if the file cannot be read or contains an error, with its position */
    public static Map<ClusterId, SiteSettings> read(final Path path) {
        final MarkedYaml yaml = new MarkedYaml("site file " + path);
        return yaml.root(path).map(new SiteFile(yaml)::clusters).orElse(Map.of());
    }

    private Map<ClusterId, SiteSettings> clusters(final Node root) {
        final Map<ClusterId, SiteSettings> sites = new HashMap<>();
        final Node clusters = yaml.fields(root, "clusters").get("clusters");
        if (clusters != null) {
            for (final NodeTuple cluster : yaml.entries(clusters, CLUSTERS)) {
                sites.put(name(cluster.getKeyNode(), ClusterId::of, "a cluster"), site(cluster.getValueNode()));
            }
        }
        return sites;
    }

    private SiteSettings site(final Node node) {
        final Map<String, Node> parts = yaml.fields(node, "licences", "windows");
        final Node licences = parts.get("licences");
        final Node windows = parts.get("windows");
        return new SiteSettings(
                licences == null ? Map.of() : licences(licences),
                windows == null
                        ? List.of()
                        : yaml.items(windows, "a list of windows").stream()
                                .map(this::window)
                                .toList());
    }

    private Map<String, Integer> licences(final Node node) {
        final Map<String, Integer> licences = new HashMap<>();
        for (final NodeTuple licence : yaml.entries(node, LICENCES)) {
            licences.put(yaml.text(licence.getKeyNode(), LICENCES), number(licence.getValueNode()));
        }
        return licences;
    }

    private MaintenanceWindow window(final Node node) {
        final Map<String, Node> fields = yaml.fields(node, "from", "until", "cores", "partition", "nodes", "reason");
        final Node partition = fields.get("partition");
        final Node until = fields.get("until");
        final List<NodeName> nodes = nodes(fields.get("nodes"));
        return yaml.checked(
                node,
                () -> new MaintenanceWindow(
                        yaml.instant(yaml.required(fields, "from", node)).getEpochSecond(),
                        until == null ? ShadowTime.NEVER : yaml.instant(until).getEpochSecond(),
                        nodes.isEmpty() ? number(yaml.required(fields, "cores", node)) : nodes.size(),
                        partition == null ? null : name(partition, PartitionName::of, "a partition"),
                        nodes,
                        yaml.text(yaml.required(fields, "reason", node), "a reason")));
    }

    private List<NodeName> nodes(final @Nullable Node node) {
        if (node == null) {
            return List.of();
        }
        final String expected = "a list of nodes, as in [n01, n02]";
        final List<NodeName> nodes = yaml.items(node, expected).stream()
                .map(name -> name(name, NodeName::of, "a node"))
                .toList();
        if (nodes.isEmpty()) {
            throw yaml.wrong(node, "expected " + expected);
        }
        return nodes;
    }

    private int number(final Node node) {
        final String text = yaml.text(node, "a number");
        try {
            return Integer.parseUnsignedInt(text);
        } catch (final NumberFormatException e) {
            throw yaml.wrong(node, "must be a whole number, 0 or greater; got '" + text + "'");
        }
    }

    private <T> T name(final Node node, final Function<String, T> reader, final String what) {
        return yaml.read(node, "the name of " + what, reader);
    }
}
