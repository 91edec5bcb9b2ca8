package io.millrace.classifier.domain.model;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything that an administrator configures about classification.
 *
 * @param characteristics the set H
 * @param classes the set C; the order decides between classes that are equal otherwise
 * @param stages the stages of reduction, in their order; a stage that is not listed is disabled
 * @param extractors how values of characteristics that are not built in are found in a job, by the name of the characteristic
 */
public record ClassModel(
        List<Characteristic> characteristics,
        List<JobClass> classes,
        List<StageRule> stages,
        Similarity similarity,
        Map<String, List<Extractor>> extractors) {

    public ClassModel {
        characteristics = List.copyOf(characteristics);
        classes = List.copyOf(classes);
        stages = List.copyOf(stages);
        extractors = Map.copyOf(extractors);
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("a class model needs at least one class");
        }
        rejectDuplicates(
                "characteristic",
                characteristics.stream().map(Characteristic::name).toList());
        rejectDuplicates("class", classes.stream().map(JobClass::name).toList());
        rejectDuplicates(
                "stage", stages.stream().map(rule -> rule.stage().label()).toList());
        final Set<String> known =
                new HashSet<>(characteristics.stream().map(Characteristic::name).toList());
        requireKnown(known, similarity.characteristics(), "similar");
        requireKnown(known, extractors.keySet(), "extractors");
        for (final JobClass one : classes) {
            requireKnown(known, one.mandatory().keySet(), "class '" + one.name() + "'");
            requireKnown(known, one.optional().keySet(), "class '" + one.name() + "'");
        }
        for (final Characteristic one : characteristics) {
            for (final JobClass user : classes) {
                final Domain domain = user.domain(one.name());
                if (domain != null && !one.kind().has(domain)) {
                    throw new IllegalArgumentException("class '" + user.name() + "', " + one.name() + ": '" + domain
                            + "' is not a domain of type " + one.kind().label());
                }
            }
        }
    }

    /** Without extractors. */
    public ClassModel(
            final List<Characteristic> characteristics,
            final List<JobClass> classes,
            final List<StageRule> stages,
            final Similarity similarity) {
        this(characteristics, classes, stages, similarity, Map.of());
    }

    /** With all stages in the order of the paper. */
    public static ClassModel of(final List<Characteristic> characteristics, final List<JobClass> classes) {
        return new ClassModel(characteristics, classes, StageRule.DEFAULT, Similarity.DEFAULT);
    }

    private static void rejectDuplicates(final String kind, final List<String> names) {
        final Set<String> seen = new HashSet<>();
        for (final String name : names) {
            if (!seen.add(name)) {
                throw new IllegalArgumentException(kind + " '" + name + "' is listed twice: remove or rename one");
            }
        }
    }

    private static void requireKnown(final Set<String> known, final Iterable<String> used, final String by) {
        for (final String name : used) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        by + ": '" + name + "' is not a characteristic of the model: define it or correct the name");
            }
        }
    }
}
