package io.millrace.backfill;

import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.Site;
import io.millrace.backfill.domain.Window;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads what operators say of their clusters: {@code clusters: { alpha: { licences: { ansys: 20 }, windows: [ { from, until, cores,
 * partition, nodes, because } ] } }}. A file with an error is refused as a whole, with line and column.
 */
final class SiteFile {

    private final Path path;

    private SiteFile(final Path path) {
        this.path = path;
    }

    /** @throws IllegalArgumentException if the file cannot be read or holds an error; says where */
    static Map<ClusterId, Site> read(final Path path) {
        try (var text = Files.newBufferedReader(path)) {
            final Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(text);
            return root == null ? Map.of() : new SiteFile(path).clusters(root);
        } catch (final MarkedYAMLException e) {
            throw new IllegalArgumentException("site file " + path + ": " + e.getMessage(), e);
        } catch (final IOException e) {
            throw new IllegalArgumentException("site file " + path + " cannot be read: " + e, e);
        }
    }

    private Map<ClusterId, Site> clusters(final Node root) {
        final Map<ClusterId, Site> sites = new HashMap<>();
        for (final NodeTuple section : mapping(root)) {
            known(section, "clusters");
            for (final NodeTuple cluster : mapping(section.getValueNode())) {
                sites.put(read(cluster.getKeyNode(), ClusterId::of, "a cluster"), site(cluster.getValueNode()));
            }
        }
        return sites;
    }

    private Site site(final Node node) {
        final Map<String, Integer> licences = new HashMap<>();
        final List<Window> windows = new ArrayList<>();
        for (final NodeTuple part : mapping(node)) {
            known(part, "licences", "windows");
            if (text(part.getKeyNode()).equals("licences")) {
                for (final NodeTuple licence : mapping(part.getValueNode())) {
                    licences.put(text(licence.getKeyNode()), number(licence.getValueNode()));
                }
            } else if (part.getValueNode() instanceof SequenceNode all) {
                all.getValue().forEach(window -> windows.add(window(window)));
            } else {
                throw wrong(part.getValueNode(), "expected a list of windows");
            }
        }
        return new Site(licences, windows);
    }

    private Window window(final Node node) {
        final Map<String, Node> fields = new HashMap<>();
        for (final NodeTuple field : mapping(node)) {
            known(field, "from", "until", "cores", "partition", "nodes", "because");
            fields.put(text(field.getKeyNode()), field.getValueNode());
        }
        final Node partition = fields.get("partition");
        final Node until = fields.get("until");
        final List<NodeName> nodes = nodes(fields.get("nodes"));
        try {
            return new Window(
                    instant(required(fields, "from", node)).getEpochSecond(),
                    until == null ? ShadowTime.NEVER : instant(until).getEpochSecond(),
                    nodes.isEmpty() ? number(required(fields, "cores", node)) : nodes.size(),
                    partition == null ? null : read(partition, PartitionName::of, "a partition"),
                    nodes,
                    text(required(fields, "because", node)));
        } catch (final WrongLine e) {
            throw e;
        } catch (final IllegalArgumentException e) {
            throw wrong(node, String.valueOf(e.getMessage()));
        }
    }

    private List<NodeName> nodes(final @Nullable Node node) {
        if (node == null) {
            return List.of();
        }
        if (node instanceof SequenceNode all && !all.getValue().isEmpty()) {
            return all.getValue().stream()
                    .map(name -> read(name, NodeName::of, "a node"))
                    .toList();
        }
        throw wrong(node, "expected a list of nodes, as in [n01, n02]");
    }

    private Node required(final Map<String, Node> fields, final String name, final Node near) {
        final Node found = fields.get(name);
        if (found == null) {
            throw wrong(near, "a window needs '" + name + "'");
        }
        return found;
    }

    private Instant instant(final Node node) {
        try {
            return OffsetDateTime.parse(text(node)).toInstant();
        } catch (final DateTimeParseException e) {
            throw wrong(node, "'" + text(node) + "' is no time; write it as 2026-12-01T08:00:00+01:00");
        }
    }

    private int number(final Node node) {
        try {
            return Integer.parseUnsignedInt(text(node));
        } catch (final NumberFormatException e) {
            throw wrong(node, "'" + text(node) + "' is not a whole number of 0 or more");
        }
    }

    private <T> T read(final Node node, final java.util.function.Function<String, T> reader, final String what) {
        try {
            return reader.apply(text(node));
        } catch (final IllegalArgumentException e) {
            throw wrong(node, "not the name of " + what + ": " + e.getMessage());
        }
    }

    private void known(final NodeTuple field, final String... names) {
        final String name = text(field.getKeyNode());
        if (!List.of(names).contains(name)) {
            throw wrong(field.getKeyNode(), "'" + name + "' is not known here; expected " + String.join(", ", names));
        }
    }

    private List<NodeTuple> mapping(final @Nullable Node node) {
        if (node instanceof MappingNode mapping) {
            return mapping.getValue();
        }
        if (node instanceof ScalarNode scalar && scalar.getValue().isEmpty()) {
            return List.of();
        }
        throw wrong(node, "expected names with values");
    }

    private String text(final Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node, "expected a single value");
    }

    private WrongLine wrong(final @Nullable Node node, final String what) {
        final var mark = node == null ? null : node.getStartMark();
        return new WrongLine("site file " + path
                + (mark == null ? "" : ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1)) + ": "
                + what);
    }

    private static final class WrongLine extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private WrongLine(final String message) {
            super(message);
        }
    }
}
