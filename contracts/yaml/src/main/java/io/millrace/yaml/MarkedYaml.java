package io.millrace.yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** A YAML file whose every error names line and column. */
public final class MarkedYaml {

    private final String name;

    /** @param name what messages call it, e.g. {@code budget file /etc/millrace/budgets.yaml} */
    public MarkedYaml(final String name) {
        this.name = name;
    }

    /** An error at a place of the file. */
    private static final class WrongLine extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        private WrongLine(final String message) {
            super(message);
        }
    }

    /**
     * The root; empty if nothing stands there.
     *
     * @throws IllegalArgumentException if the file cannot be read or is no YAML; says where
     */
    public Optional<Node> root(final Path path) {
        try (var text = Files.newBufferedReader(path)) {
            return Optional.ofNullable(new Yaml(new SafeConstructor(new LoaderOptions())).compose(text));
        } catch (final MarkedYAMLException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        } catch (final IOException e) {
            throw new IllegalArgumentException(name + " cannot be read: " + e, e);
        }
    }

    /** The lines of a mapping, as often as each stands there; none where nothing stands. */
    public List<NodeTuple> mapping(final Node node, final String expected) {
        if (node instanceof MappingNode mapping) {
            return mapping.getValue();
        }
        if (node instanceof ScalarNode scalar && scalar.getValue().isEmpty()) {
            return List.of();
        }
        throw wrong(node, "expected " + expected);
    }

    /** The entries of a mapping, each key once; none where nothing stands. */
    public List<NodeTuple> entries(final Node node, final String expected) {
        final List<NodeTuple> entries = mapping(node, expected);
        final Set<String> seen = new HashSet<>();
        entries.forEach(entry -> {
            final String key = text(entry.getKeyNode(), expected);
            if (!seen.add(key)) {
                throw wrong(entry.getKeyNode(), "'" + key + "' stands here a second time");
            }
        });
        return entries;
    }

    public List<Node> items(final Node node) {
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue();
        }
        throw wrong(node, "expected a list: [ … ]");
    }

    public String text(final Node node, final String expected) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node, "expected " + expected);
    }

    /** What the model refuses is an error of the file. */
    public <T> T checked(final Node node, final Supplier<T> made) {
        try {
            return made.get();
        } catch (final WrongLine e) {
            throw e;
        } catch (final IllegalArgumentException e) {
            throw wrong(node, String.valueOf(e.getMessage()));
        }
    }

    public IllegalArgumentException wrong(final Node node, final String what) {
        final var mark = node.getStartMark();
        return new WrongLine(
                name + ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": " + what);
    }
}
