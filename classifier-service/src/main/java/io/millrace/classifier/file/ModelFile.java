package io.millrace.classifier.file;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Characteristic.Kind;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.Extractor;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import io.millrace.classifier.domain.model.Similarity;
import io.millrace.classifier.domain.model.Stage;
import io.millrace.classifier.domain.model.StageRule;
import io.millrace.classifier.domain.model.TextPattern;
import io.millrace.model.ClusterId;
import io.millrace.sitefiles.YamlFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a model. An error names line and column; a file with an error is rejected as a whole. */
public final class ModelFile {

    private static final List<String> COMMON_KEYS = List.of("type", "rank", "weight", "from");

    private ModelFile() {}

    /** @throws IllegalArgumentException if the file cannot be read or does not hold a model */
    public static ClassModel read(final Path file) {
        return YamlFile.read("model file", file, Content.class, Content::model);
    }

    /**
     * @param name how messages name the text
     * @throws IllegalArgumentException if it does not hold a model
     */
    public static ClassModel parse(final String name, final String text) {
        return YamlFile.parse(name, text, Content.class, Content::model);
    }

    private record Content(
            @Nullable Map<String, ObjectNode> characteristics,
            @Nullable Map<String, ClassSection> classes,
            @Nullable List<String> stages,
            @Nullable Map<String, Double> delta,
            @Nullable SimilarSection similar) {

        private ClassModel model() {
            final Map<String, ObjectNode> sections = YamlFile.required(characteristics, "characteristics");
            final Map<String, Characteristic> read = new LinkedHashMap<>();
            sections.forEach((name, node) ->
                    read.put(name, YamlFile.entry(() -> characteristic(name, node), "characteristics", name)));
            final List<JobClass> jobClasses = new ArrayList<>();
            YamlFile.required(classes, "classes")
                    .forEach((name, section) ->
                            jobClasses.add(YamlFile.entry(() -> section.jobClass(name, read), "classes", name)));
            final Similarity similarity =
                    similar == null ? Similarity.DEFAULT : YamlFile.entry(similar::similarity, "similar");
            return new ClassModel(List.copyOf(read.values()), jobClasses, rules(), similarity, extractors(sections));
        }

        private static Map<String, List<Extractor>> extractors(final Map<String, ObjectNode> sections) {
            final Map<String, List<Extractor>> extractors = new HashMap<>();
            sections.forEach((name, node) -> {
                final JsonNode from = node.get("from");
                if (from != null) {
                    extractors.put(
                            name, YamlFile.entry(() -> ExtractorJson.readAll(from), "characteristics", name, "from"));
                }
            });
            return extractors;
        }

        private List<StageRule> rules() {
            final Map<String, Double> deltas = delta == null ? Map.of() : delta;
            deltas.keySet().forEach(word -> YamlFile.entry(() -> stage(word), "delta", word));
            final List<String> order = stages == null ? Stage.labels() : stages;
            final List<StageRule> rules = new ArrayList<>();
            for (int s = 0; s < order.size(); s++) {
                final String word = order.get(s);
                final Stage stage = YamlFile.entry(() -> stage(word), "stages", Integer.toString(s));
                final double allowed = Objects.requireNonNullElse(deltas.get(word), 0.0);
                rules.add(YamlFile.entry(() -> new StageRule(stage, allowed), "delta", word));
            }
            return rules;
        }

        private static Stage stage(final String word) {
            return Stage.named(word)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'" + word + "' is not a stage: use " + String.join(", ", Stage.labels())));
        }
    }

    private record ClassSection(
            @Nullable Map<String, JsonNode> mandatory,
            @Nullable Map<String, JsonNode> optional,
            @Nullable List<ClusterId> clusters,
            @Nullable Duration movedRunTime) {

        private JobClass jobClass(final String name, final Map<String, Characteristic> characteristics) {
            return new JobClass(
                    name,
                    domains(mandatory, name, "mandatory", characteristics),
                    domains(optional, name, "optional", characteristics),
                    Objects.requireNonNullElse(clusters, List.of()),
                    movedRunTime);
        }

        private static Map<String, Domain> domains(
                final @Nullable Map<String, JsonNode> section,
                final String jobClass,
                final String key,
                final Map<String, Characteristic> characteristics) {
            final Map<String, Domain> domains = new LinkedHashMap<>();
            if (section != null) {
                section.forEach((name, node) -> domains.put(
                        name,
                        YamlFile.entry(() -> domain(name, node, characteristics), "classes", jobClass, key, name)));
            }
            return domains;
        }

        /** An empty mapping stands for every value. */
        private static Domain domain(
                final String name, final JsonNode node, final Map<String, Characteristic> characteristics) {
            final Characteristic used = characteristics.get(name);
            if (used == null) {
                throw new IllegalArgumentException(
                        "'" + name + "' is not a characteristic of the model; expected one of "
                                + String.join(", ", characteristics.keySet()));
            }
            final Domain domain =
                    node.isObject() && node.isEmpty() ? used.domain() : DomainJson.read(used.kind(), node);
            if (domain instanceof OneOf
                    && used.domain() instanceof OneOf
                    && !used.domain().includes(domain)) {
                throw new IllegalArgumentException(name + ": '" + domain + "' is not inside " + used.domain());
            }
            return domain;
        }
    }

    private record SimilarSection(
            @Nullable List<String> characteristics,
            @Nullable Double ratio) {
        private Similarity similarity() {
            return new Similarity(
                    Objects.requireNonNullElse(characteristics, List.of()),
                    Objects.requireNonNullElse(ratio, Similarity.DEFAULT.ratio()));
        }
    }

    private static Characteristic characteristic(final String name, final ObjectNode node) {
        final String word = YamlFile.required(node.get("type"), "type").asText();
        final Kind kind = Arrays.stream(Kind.values())
                .filter(one -> one.label().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("type '" + word + "' is not known: use one of "
                        + String.join(
                                ", ",
                                Arrays.stream(Kind.values()).map(Kind::label).toList())));
        return new Characteristic(
                name,
                kind,
                allValues(kind, node.deepCopy().remove(COMMON_KEYS)),
                rank(node.get("rank")),
                weight(node.get("weight")));
    }

    private static Domain allValues(final Kind kind, final ObjectNode node) {
        if (kind == Kind.ENUM && !node.has("values")) {
            throw new IllegalArgumentException("'values' is missing: list the values of the enumeration");
        }
        if (node.isEmpty()) {
            return switch (kind) {
                case NUMBER -> NumberRange.ANY;
                case ENUM, BOOLEAN -> OneOf.BOTH;
                case SET -> SetDomain.ANY;
                case TEXT -> TextPattern.ANY;
            };
        }
        final JsonNode values = node.remove("values");
        return DomainJson.read(kind, values == null ? node : node.set("oneOf", values));
    }

    private static int rank(final @Nullable JsonNode node) {
        if (node == null) {
            return 1;
        }
        if (!node.canConvertToInt() || !node.isIntegralNumber()) {
            throw new IllegalArgumentException("rank must be a whole number of at least 1, got " + node);
        }
        return node.intValue();
    }

    private static double weight(final @Nullable JsonNode node) {
        if (node == null) {
            return 1;
        }
        if (!node.isNumber()) {
            throw new IllegalArgumentException("weight must be a number greater than zero, got " + node);
        }
        return node.doubleValue();
    }
}
