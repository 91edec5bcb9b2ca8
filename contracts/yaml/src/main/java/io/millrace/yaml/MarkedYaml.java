package io.millrace.yaml;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
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
        try {
            return rootOf(Files.readString(path));
        } catch (final IOException e) {
            throw new IllegalArgumentException(name + " cannot be read: " + e, e);
        }
    }

    /**
     * The same of a file's text.
     *
     * @throws IllegalArgumentException if it is no YAML; says where
     */
    public Optional<Node> rootOf(final String text) {
        try {
            return Optional.ofNullable(
                    new Yaml(new SafeConstructor(new LoaderOptions())).compose(new StringReader(text)));
        } catch (final MarkedYAMLException e) {
            throw new IllegalArgumentException(at(e.getProblemMark(), "this is no YAML: " + e.getProblem()), e);
        } catch (final YAMLException e) {
            throw new IllegalArgumentException(name + " is no YAML: " + e.getMessage(), e);
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

    /** The entries of a mapping by their keys, each of which is one of those known. */
    public Map<String, Node> fields(final Node node, final String... known) {
        final String expected = String.join(", ", known);
        final Map<String, Node> fields = new LinkedHashMap<>();
        for (final NodeTuple entry : entries(node, expected)) {
            final String key = text(entry.getKeyNode(), expected);
            if (!List.of(known).contains(key)) {
                throw wrong(entry.getKeyNode(), "'" + key + "' is not known here; expected " + expected);
            }
            fields.put(key, entry.getValueNode());
        }
        return fields;
    }

    /**
     * A field that must be there.
     *
     * @param of the mapping, where its absence is complained of
     */
    public Node required(final Map<String, Node> fields, final String field, final Node of) {
        final Node found = fields.get(field);
        if (found == null) {
            throw wrong(of, "'" + field + "' is missing: add it");
        }
        return found;
    }

    public List<Node> items(final Node node) {
        return items(node, "a list: [ … ]");
    }

    public List<Node> items(final Node node, final String expected) {
        if (node instanceof SequenceNode sequence) {
            return sequence.getValue();
        }
        throw wrong(node, "expected " + expected);
    }

    public String text(final Node node, final String expected) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node, "expected " + expected);
    }

    /** What the reader makes of a single value. */
    public <T> T read(final Node node, final String expected, final Function<String, T> reader) {
        return checked(node, () -> reader.apply(text(node, expected)));
    }

    public ZoneId zone(final Node node) {
        try {
            return ZoneId.of(text(node, "a time zone"));
        } catch (final DateTimeException e) {
            throw wrong(node, "expected a time zone such as Europe/Berlin: " + e.getMessage());
        }
    }

    /** An instant, written with its offset. */
    public Instant instant(final Node node) {
        final String text = text(node, "a time");
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (final DateTimeParseException e) {
            throw wrong(node, "'" + text + "' is no time with its zone, such as 2026-03-09T00:00:00+01:00");
        }
    }

    /** One of these words: their names in small letters, parted by hyphens. */
    public <E extends Enum<E>> E word(final Node node, final E[] known) {
        final String text = text(node, "a word");
        return Arrays.stream(known)
                .filter(one -> spelt(one).equals(text))
                .findFirst()
                .orElseThrow(() -> wrong(
                        node,
                        "'" + text + "' is none of "
                                + Arrays.stream(known).map(MarkedYaml::spelt).collect(Collectors.joining(", "))));
    }

    private static String spelt(final Enum<?> one) {
        return one.name().toLowerCase(Locale.ROOT).replace('_', '-');
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
        return new WrongLine(at(node.getStartMark(), what));
    }

    private String at(final @Nullable Mark mark, final String what) {
        return mark == null
                ? name + ": " + what
                : name + ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1) + ": " + what;
    }
}
