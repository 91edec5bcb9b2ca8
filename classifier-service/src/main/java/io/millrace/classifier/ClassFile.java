package io.millrace.classifier;

import io.millrace.classifier.domain.Allowed;
import io.millrace.classifier.domain.Characteristic;
import io.millrace.classifier.domain.ClassModel;
import io.millrace.classifier.domain.JobClass;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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

/** Reads the class file; says line and field of whatever is wrong with it. Nothing of a bad file comes into force. */
final class ClassFile {

    /** The six classes of the paper, shipped with the service. */
    private static final String SHIPPED = "/classes.yaml";

    private static final Set<String> CLASS_FIELDS = Set.of("name", "basic", "additional");

    private final String origin;

    private ClassFile(final String origin) {
        this.origin = origin;
    }

    /** @throws ClassFileException if the file cannot be read or does not hold classes */
    static ClassModel read(final Path file) {
        try {
            return parse(file.toString(), Files.readString(file));
        } catch (final IOException e) {
            throw new ClassFileException(
                    file + " cannot be read (" + e + "): correct millrace.classifier.class-file, or unset it to use"
                            + " the classes shipped",
                    e);
        }
    }

    static ClassModel shipped() {
        try (InputStream in = ClassFile.class.getResourceAsStream(SHIPPED)) {
            if (in == null) {
                throw new IllegalStateException(SHIPPED + " is missing from this build");
            }
            return parse(SHIPPED, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (final IOException e) {
            throw new ClassFileException(SHIPPED + " cannot be read: " + e, e);
        }
    }

    static ClassModel parse(final String origin, final String text) {
        final ClassFile file = new ClassFile(origin);
        final Node root;
        try (Reader reader = new StringReader(text)) {
            root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(reader);
        } catch (final MarkedYAMLException e) {
            throw new ClassFileException(
                    origin + " line " + (e.getProblemMark().getLine() + 1) + ": not YAML: " + e.getProblem(), e);
        } catch (final IOException e) {
            throw new ClassFileException(origin + " cannot be read: " + e, e);
        }
        if (root == null) {
            throw new ClassFileException(origin + " is empty: it needs 'classes:' and a list of classes", null);
        }
        return file.model(root);
    }

    private ClassModel model(final Node root) {
        final Map<String, Node> fields = fields(root, Set.of("classes"), "the file");
        final Node list = required(fields, "classes", root);
        if (!(list instanceof SequenceNode sequence)) {
            throw wrong(list, "'classes' must be a list: begin each class with '- name:'");
        }
        final List<JobClass> classes = new ArrayList<>();
        sequence.getValue().forEach(node -> classes.add(jobClass(node)));
        return checked(list, () -> new ClassModel(classes));
    }

    private JobClass jobClass(final Node node) {
        final Map<String, Node> fields = fields(node, CLASS_FIELDS, "a class");
        final String name = scalar(required(fields, "name", node), "name");
        final Map<Characteristic, Allowed> basic = bounds(required(fields, "basic", node));
        final Node additional = fields.get("additional");
        return checked(node, () -> new JobClass(name, basic, additional == null ? Map.of() : bounds(additional)));
    }

    private Map<Characteristic, Allowed> bounds(final Node node) {
        final Map<Characteristic, Allowed> bounds = new EnumMap<>(Characteristic.class);
        mapping(node, "characteristics").forEach((word, value) -> {
            final Characteristic characteristic = Characteristic.named(word)
                    .orElseThrow(() -> wrong(
                            value, "'" + word + "' is not a characteristic: use one of " + Characteristic.words()));
            bounds.put(characteristic, checked(value, () -> AllowedText.read(characteristic, plain(value))));
        });
        return bounds;
    }

    /** A node as plain text, list or map of texts, which is all that bounds are made of. */
    private Object plain(final Node node) {
        return switch (node) {
            case ScalarNode scalar -> scalar.getValue();
            case SequenceNode sequence ->
                sequence.getValue().stream()
                        .map(part -> scalar(part, "list entry"))
                        .toList();
            case MappingNode map -> {
                final Map<String, String> parts = new LinkedHashMap<>();
                mapping(map, "bounds").forEach((key, value) -> parts.put(key, scalar(value, key)));
                yield parts;
            }
            default -> throw wrong(node, "a value, a list or bounds expected");
        };
    }

    private Map<String, Node> fields(final Node node, final Set<String> known, final String what) {
        final Map<String, Node> fields = mapping(node, what);
        fields.forEach((name, value) -> {
            if (!known.contains(name)) {
                throw wrong(
                        value,
                        "'" + name + "' is not a field of " + what + ": use "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        });
        return fields;
    }

    private Map<String, Node> mapping(final Node node, final String what) {
        if (!(node instanceof MappingNode map)) {
            throw wrong(node, what + " must be written as 'field: value'");
        }
        final Map<String, Node> fields = new LinkedHashMap<>();
        for (final NodeTuple tuple : map.getValue()) {
            final String key = scalar(tuple.getKeyNode(), "field name");
            if (fields.put(key, tuple.getValueNode()) != null) {
                throw wrong(tuple.getKeyNode(), "'" + key + "' is there twice: keep one");
            }
        }
        return fields;
    }

    private Node required(final Map<String, Node> fields, final String name, final Node where) {
        final Node node = fields.get(name);
        if (node == null) {
            throw wrong(where, "'" + name + "' is missing: add it");
        }
        return node;
    }

    private String scalar(final Node node, final String what) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node, "'" + what + "' must be a single value");
    }

    private <T> T checked(final Node where, final Supplier<T> made) {
        try {
            return made.get();
        } catch (final ClassFileException e) {
            throw e;
        } catch (final IllegalArgumentException e) {
            throw wrong(where, String.valueOf(e.getMessage()));
        }
    }

    private ClassFileException wrong(final Node where, final String what) {
        return new ClassFileException(origin + " line " + (where.getStartMark().getLine() + 1) + ": " + what, null);
    }
}
