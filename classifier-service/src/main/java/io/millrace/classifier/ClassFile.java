package io.millrace.classifier;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.classifier.domain.AllowedValues;
import io.millrace.classifier.domain.Characteristic;
import io.millrace.classifier.domain.ClassModel;
import io.millrace.classifier.domain.JobClass;
import io.millrace.sitefiles.YamlFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the class file. An error names line and column; a file with an error is rejected as a whole. */
final class ClassFile {

    /** The six classes of the paper, shipped with the service. */
    private static final String SHIPPED = "/classes.yaml";

    private ClassFile() {}

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
        try {
            return YamlFile.parse(origin, text, Content.class, Content::model);
        } catch (final IllegalArgumentException e) {
            throw new ClassFileException(String.valueOf(e.getMessage()), e);
        }
    }

    private record Content(@Nullable List<ClassSection> classes) {

        private ClassModel model() {
            final List<ClassSection> sections = YamlFile.required(classes, "classes");
            return YamlFile.entry(
                    () -> new ClassModel(
                            sections.stream().map(ClassSection::jobClass).toList()),
                    "classes");
        }
    }

    private record ClassSection(
            @Nullable String name,
            @Nullable Map<String, JsonNode> basic,
            @Nullable Map<String, JsonNode> additional) {

        private ClassSection {
            jobClass(name, basic, additional);
        }

        private JobClass jobClass() {
            return jobClass(name, basic, additional);
        }

        private static JobClass jobClass(
                final @Nullable String name,
                final @Nullable Map<String, JsonNode> basic,
                final @Nullable Map<String, JsonNode> additional) {
            return new JobClass(
                    YamlFile.required(name, "name"),
                    bounds(YamlFile.required(basic, "basic"), "basic"),
                    additional == null ? Map.of() : bounds(additional, "additional"));
        }
    }

    private static Map<Characteristic, AllowedValues> bounds(final Map<String, JsonNode> lines, final String section) {
        final Map<Characteristic, AllowedValues> bounds = new EnumMap<>(Characteristic.class);
        lines.forEach((word, value) -> {
            final Characteristic characteristic = YamlFile.entry(() -> characteristic(word), section, word);
            bounds.put(
                    characteristic,
                    YamlFile.entry(() -> AllowedValuesReader.read(characteristic, plain(value)), section, word));
        });
        return bounds;
    }

    private static Characteristic characteristic(final String word) {
        return Characteristic.named(word)
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + word + "' is not a characteristic: use one of " + Characteristic.labels()));
    }

    /** Bounds are a text, a list of texts or a map of texts. */
    private static Object plain(final JsonNode node) {
        if (node.isArray()) {
            return node.valueStream().map(ClassFile::text).toList();
        }
        return node.isObject()
                ? node.propertyStream().collect(Collectors.toMap(Map.Entry::getKey, part -> text(part.getValue())))
                : text(node);
    }

    private static String text(final JsonNode node) {
        if (!node.isValueNode() || node.isNull()) {
            throw new IllegalArgumentException("expected a single value");
        }
        return node.asText();
    }
}
