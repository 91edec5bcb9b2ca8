package io.millrace.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.quota.domain.QuotaFileEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Reads the site's quotas: {@code quotas: { cluster: { user: cores } }}. A file with an error is refused as a whole, with line and
 * column, so that nothing is half applied.
 */
public final class QuotaFile {

    private static final String EXPECTED = "expected 'quotas:' with clusters, each with lines 'user: cores'";

    private final Path path;
    private final List<QuotaFileEntry> entries = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();

    private QuotaFile(final Path path) {
        this.path = path;
    }

    /** @throws IllegalArgumentException if the file cannot be read or holds an error; says where */
    public static List<QuotaFileEntry> read(final Path path) {
        final QuotaFile file = new QuotaFile(path);
        try (var text = Files.newBufferedReader(path)) {
            final Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(text);
            if (root != null) {
                file.readRoot(root);
            }
        } catch (final MarkedYAMLException e) {
            throw new IllegalArgumentException("quota file " + path + ": " + e.getMessage(), e);
        } catch (final IOException e) {
            throw new IllegalArgumentException("quota file " + path + " cannot be read: " + e, e);
        }
        return List.copyOf(file.entries);
    }

    private void readRoot(final Node root) {
        for (final NodeTuple section : mapping(root)) {
            if (!text(section.getKeyNode()).equals("quotas")) {
                throw wrong(section.getKeyNode(), "'" + text(section.getKeyNode()) + "' is not known; " + EXPECTED);
            }
            for (final NodeTuple cluster : mapping(section.getValueNode())) {
                for (final NodeTuple user : mapping(cluster.getValueNode())) {
                    readQuota(cluster.getKeyNode(), user.getKeyNode(), user.getValueNode());
                }
            }
        }
    }

    private void readQuota(final Node cluster, final Node user, final Node cores) {
        try {
            final QuotaFileEntry entry = new QuotaFileEntry(
                    ClusterId.of(text(cluster)), UserName.of(text(user)), Integer.parseInt(text(cores)));
            if (!seen.add(entry.key())) {
                throw wrong(user, "a second quota for " + entry.key());
            }
            entries.add(entry);
        } catch (final NumberFormatException e) {
            throw wrong(cores, "'" + text(cores) + "' is not a number of cores");
        } catch (final WrongLine e) {
            throw e;
        } catch (final IllegalArgumentException e) {
            throw wrong(user, String.valueOf(e.getMessage()));
        }
    }

    private List<NodeTuple> mapping(final Node node) {
        if (node instanceof MappingNode mapping) {
            return mapping.getValue();
        }
        if (node instanceof ScalarNode scalar && scalar.getValue().isEmpty()) {
            return List.of();
        }
        throw wrong(node, EXPECTED);
    }

    private String text(final Node node) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node, EXPECTED);
    }

    private WrongLine wrong(final Node node, final String what) {
        final var mark = node.getStartMark();
        return new WrongLine("quota file " + path + ", line " + (mark.getLine() + 1) + ", column "
                + (mark.getColumn() + 1) + ": " + what);
    }

    private static final class WrongLine extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private WrongLine(final String message) {
            super(message);
        }
    }
}
