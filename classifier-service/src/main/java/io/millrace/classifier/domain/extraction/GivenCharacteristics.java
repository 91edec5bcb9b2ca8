package io.millrace.classifier.domain.extraction;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.Extractor;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The characteristics of a model that a job gives.
 *
 * @param given by name, in the order of the model
 * @param ignored why a value that was found is not used: it does not belong to the domain of its characteristic
 */
public record GivenCharacteristics(Map<String, Domain> given, List<String> ignored) {

    /** An extractor of the model takes precedence over a built-in characteristic of the same name. */
    public static GivenCharacteristics of(final ClassModel model, final JobFacts facts) {
        final Map<String, Domain> given = new LinkedHashMap<>();
        final List<String> ignored = new ArrayList<>();
        for (final Characteristic one : model.characteristics()) {
            try {
                final Domain found = find(one, model.extractors().getOrDefault(one.name(), List.of()), facts);
                if (found != null) {
                    one.check(found);
                    given.put(one.name(), found);
                }
            } catch (final IllegalArgumentException e) {
                ignored.add("ignored " + e.getMessage());
            }
        }
        return new GivenCharacteristics(given, ignored);
    }

    /** Characteristics that no job gives, because they are neither built in nor have an extractor. */
    public static List<String> unknown(final ClassModel model) {
        return model.characteristics().stream()
                .map(Characteristic::name)
                .filter(name ->
                        !JobFacts.BUILT_IN.contains(name) && !model.extractors().containsKey(name))
                .toList();
    }

    private static @Nullable Domain find(
            final Characteristic one, final List<Extractor> extractors, final JobFacts facts) {
        if (extractors.isEmpty()) {
            return facts.values().get(one.name());
        }
        final Set<String> found = extractors.stream()
                .flatMap(extractor -> facts.texts().getOrDefault(extractor.field(), List.of()).stream()
                        .flatMap(extractor::values))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (one.kind() == Characteristic.Kind.SET) {
            return facts.texts().isEmpty() ? null : SetDomain.exactly(found);
        }
        return found.isEmpty() ? null : value(one, found.iterator().next());
    }

    private static Domain value(final Characteristic one, final String text) {
        if (one.kind() != Characteristic.Kind.NUMBER) {
            return OneOf.of(text);
        }
        try {
            return NumberRange.exactly(Double.parseDouble(text));
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException(one.name() + ": '" + text + "' is not a number", e);
        }
    }
}
