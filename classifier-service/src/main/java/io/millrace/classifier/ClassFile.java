package io.millrace.classifier;

import io.millrace.classifier.domain.AllowedValues;
import io.millrace.classifier.domain.Characteristic;
import io.millrace.classifier.domain.ClassModel;
import io.millrace.classifier.domain.JobClass;
import io.millrace.yaml.MarkedYaml;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the class file. An error names line, column and field; a file with an error is rejected as a whole. */
final class ClassFile {

    /** The six classes of the paper, shipped with the service. */
    private static final String SHIPPED = "/classes.yaml";

    private static final String CHARACTERISTICS = "characteristics, each as 'name: bounds'";

    private final MarkedYaml yaml;

    private ClassFile(final MarkedYaml yaml) {
        this.yaml = yaml;
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
        final MarkedYaml yaml = new MarkedYaml(origin);
        try {
            return yaml.rootOf(text)
                    .map(new ClassFile(yaml)::model)
                    .orElseThrow(() -> new ClassFileException(
                            origin + " is empty: it needs 'classes:' and a list of classes", null));
        } catch (final ClassFileException e) {
            throw e;
        } catch (final IllegalArgumentException e) {
            throw new ClassFileException(String.valueOf(e.getMessage()), e);
        }
    }

    private ClassModel model(final Node root) {
        final Node list = yaml.required(yaml.fields(root, "classes"), "classes", root);
        final List<JobClass> classes = yaml.items(list, "a list of classes: begin each with '- name:'").stream()
                .map(this::jobClass)
                .toList();
        return yaml.checked(list, () -> new ClassModel(classes));
    }

    private JobClass jobClass(final Node node) {
        final Map<String, Node> fields = yaml.fields(node, "name", "basic", "additional");
        final String name = yaml.text(yaml.required(fields, "name", node), "the name of a class");
        final Map<Characteristic, AllowedValues> basic = bounds(yaml.required(fields, "basic", node));
        final Node additional = fields.get("additional");
        return yaml.checked(node, () -> new JobClass(name, basic, additional == null ? Map.of() : bounds(additional)));
    }

    private Map<Characteristic, AllowedValues> bounds(final Node node) {
        final Map<Characteristic, AllowedValues> bounds = new EnumMap<>(Characteristic.class);
        for (final NodeTuple entry : yaml.entries(node, CHARACTERISTICS)) {
            final String word = yaml.text(entry.getKeyNode(), CHARACTERISTICS);
            final Characteristic characteristic = Characteristic.named(word)
                    .orElseThrow(() -> yaml.wrong(
                            entry.getKeyNode(),
                            "'" + word + "' is not a characteristic: use one of " + Characteristic.labels()));
            final Node value = entry.getValueNode();
            bounds.put(
                    characteristic, yaml.checked(value, () -> AllowedValuesReader.read(characteristic, plain(value))));
        }
        return bounds;
    }

    /** A node as plain text, list or map of texts, which is all that bounds are made of. */
    private Object plain(final Node node) {
        return switch (node) {
            case SequenceNode list ->
                list.getValue().stream()
                        .map(part -> yaml.text(part, "a single value"))
                        .toList();
            case MappingNode map ->
                yaml.entries(map, "bounds").stream()
                        .collect(Collectors.toMap(
                                part -> yaml.text(part.getKeyNode(), "a bound"),
                                part -> yaml.text(part.getValueNode(), "a single value")));
            default -> yaml.text(node, "a value, a list or bounds");
        };
    }
}
