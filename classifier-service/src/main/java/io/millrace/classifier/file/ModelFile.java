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
import io.millrace.sitefiles.EntryErrors;
import io.millrace.sitefiles.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a model. All errors are reported, each with line and column; a file with an error is rejected as a whole. */
public final class ModelFile {

    private static final List<String> COMMON_KEYS = List.of("type", "rank", "weight", "from");

    private ModelFile() {}

    /** @throws IllegalArgumentException if the file cannot be read or does not hold a model */
    public static ClassModel read(final Path file) {
        final String name = "model file " + file;
        try {
            return parse(name, Files.readString(file));
        } catch (final IOException e) {
            throw new IllegalArgumentException(name + " cannot be read: " + e, e);
        }
    }

    /**
     * @param name how messages name the text
     * @throws IllegalArgumentException if it does not hold a model
     */
    public static ClassModel parse(final String name, final String text) {
        return YamlFile.parseAll(name, text, Content.class, (content, errors) -> new Reader(errors).model(content));
    }

    private record Content(
            @Nullable Map<String, ObjectNode> characteristics,
            @Nullable Map<String, JsonNode> classes,
            @Nullable List<String> stages,
            @Nullable Map<String, Double> delta,
            @Nullable SimilarSection similar) {}

    private record ClassSection(
            @Nullable Map<String, JsonNode> mandatory,
            @Nullable Map<String, JsonNode> optional,
            @Nullable List<ClusterId> clusters,
            @Nullable Duration movedRunTime) {}

    /** Reads one model. A part that has an error is left out, so that the errors of the others are found. */
    private static final class Reader {

        private final EntryErrors errors;
        private final Map<String, Characteristic> characteristics = new LinkedHashMap<>();
        private final Map<String, List<Extractor>> extractors = new HashMap<>();
        private Set<String> named = Set.of();

        private Reader(final EntryErrors errors) {
            this.errors = errors;
        }

        private ClassModel model(final Content content) {
            // A section that was left out because of an error is not missing.
            if (errors.count() == 0) {
                errors.entry(() -> YamlFile.required(content.characteristics, "characteristics"));
                errors.entry(() -> YamlFile.required(content.classes, "classes"));
            }
            readCharacteristics(Objects.requireNonNullElse(content.characteristics, Map.of()));
            final List<JobClass> jobClasses = new ArrayList<>();
            if (content.classes != null) {
                content.classes.forEach((name, node) -> jobClass(name, node).ifPresent(jobClasses::add));
            }
            final List<StageRule> rules = rules(content);
            final Optional<Similarity> similarity = content.similar == null
                    ? Optional.of(Similarity.DEFAULT)
                    : errors.entry(content.similar::similarity, "similar");
            errors.check();
            return new ClassModel(
                    List.copyOf(characteristics.values()), jobClasses, rules, similarity.orElseThrow(), extractors);
        }

        private void readCharacteristics(final Map<String, ObjectNode> sections) {
            named = sections.keySet();
            sections.forEach((name, node) -> {
                final Optional<Integer> rank = errors.entry(() -> rank(node.get("rank")), "characteristics", name);
                final Optional<Double> weight = errors.entry(() -> weight(node.get("weight")), "characteristics", name);
                errors.entry(
                                () -> characteristic(name, node, rank.orElse(1), weight.orElse(1.0)),
                                "characteristics",
                                name)
                        .ifPresent(one -> characteristics.put(name, one));
                final JsonNode from = node.get("from");
                if (from != null) {
                    errors.entry(() -> ExtractorJson.readAll(from), "characteristics", name, "from")
                            .ifPresent(all -> extractors.put(name, all));
                }
            });
        }

        private List<StageRule> rules(final Content content) {
            final Map<String, Double> deltas = Objects.requireNonNullElse(content.delta, Map.of());
            deltas.keySet().forEach(word -> errors.entry(() -> stage(word), "delta", word));
            final List<String> order = Objects.requireNonNullElse(content.stages, Stage.labels());
            final List<StageRule> rules = new ArrayList<>();
            for (int s = 0; s < order.size(); s++) {
                final String word = order.get(s);
                final double allowed = Objects.requireNonNullElse(deltas.get(word), 0.0);
                errors.entry(() -> stage(word), "stages", Integer.toString(s))
                        .flatMap(stage -> errors.entry(() -> new StageRule(stage, allowed), "delta", word))
                        .ifPresent(rules::add);
            }
            return rules;
        }

        private static Stage stage(final String word) {
            return Stage.named(word)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'" + word + "' is not a stage: use " + String.join(", ", Stage.labels())));
        }

        private Optional<JobClass> jobClass(final String name, final JsonNode node) {
            final int before = errors.count();
            final ClassSection section = errors.bind(node, ClassSection.class, "classes", name);
            final Map<String, Domain> mandatory = domains(section.mandatory, name, "mandatory");
            final Map<String, Domain> optional = domains(section.optional, name, "optional");
            if (errors.count() > before || !mandatory.keySet().containsAll(keys(section.mandatory))) {
                return Optional.empty();
            }
            return errors.entry(
                    () -> new JobClass(
                            name,
                            mandatory,
                            optional,
                            Objects.requireNonNullElse(section.clusters, List.of()),
                            section.movedRunTime),
                    "classes",
                    name);
        }

        private static Set<String> keys(final @Nullable Map<String, JsonNode> section) {
            return section == null ? Set.of() : section.keySet();
        }

        private Map<String, Domain> domains(
                final @Nullable Map<String, JsonNode> section, final String jobClass, final String key) {
            final Map<String, Domain> domains = new LinkedHashMap<>();
            if (section != null) {
                section.forEach((name, node) -> {
                    // The error of a characteristic is reported once, not by each class.
                    if (!named.contains(name) || characteristics.containsKey(name)) {
                        errors.entry(() -> domain(name, node), "classes", jobClass, key, name)
                                .ifPresent(domain -> domains.put(name, domain));
                    }
                });
            }
            return domains;
        }

        /** An empty mapping means every value. */
        private Domain domain(final String name, final JsonNode node) {
            final Characteristic used = characteristics.get(name);
            if (used == null) {
                throw new IllegalArgumentException("'" + name
                        + "' is not a characteristic of the model; expected one of " + String.join(", ", named));
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

    private static Characteristic characteristic(
            final String name, final ObjectNode node, final int rank, final double weight) {
        final String word = YamlFile.required(node.get("type"), "type").asText();
        final Kind kind = Arrays.stream(Kind.values())
                .filter(one -> one.label().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("type '" + word + "' is not known: use one of "
                        + String.join(
                                ", ",
                                Arrays.stream(Kind.values()).map(Kind::label).toList())));
        KnownKeys.check(node, keys(kind));
        return new Characteristic(name, kind, allValues(kind, node.deepCopy().remove(COMMON_KEYS)), rank, weight);
    }

    private static List<String> keys(final Kind kind) {
        final List<String> keys = new ArrayList<>(COMMON_KEYS);
        if (kind != Kind.NUMBER) {
            keys.add("values");
        }
        keys.addAll(DomainJson.keys(kind));
        keys.remove("oneOf"); // written as "values" here
        return keys;
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
        if (!node.canConvertToInt() || !node.isIntegralNumber() || node.intValue() < 1) {
            throw new IllegalArgumentException("rank must be a whole number of at least 1, got " + node);
        }
        return node.intValue();
    }

    private static double weight(final @Nullable JsonNode node) {
        if (node == null) {
            return 1;
        }
        if (!node.isNumber() || !(node.doubleValue() > 0)) {
            throw new IllegalArgumentException("weight must be a number greater than zero, got " + node);
        }
        return node.doubleValue();
    }
}
