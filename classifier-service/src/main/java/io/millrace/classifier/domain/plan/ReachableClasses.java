package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.ClassModel;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Looks for a job that each class remains for after all stages. The tried jobs are chosen at random from values that the model
 * distinguishes, always the same ones; so a class that few jobs reach can be missed.
 */
final class ReachableClasses {

    private static final int TRIES = 3_000;

    private final ClassModel model;
    private final Classifier classifier;
    private final Map<String, List<Domain>> values = new HashMap<>();

    ReachableClasses(final ClassModel model) {
        this.model = model;
        classifier = new Classifier(model);
        for (final Characteristic one : model.characteristics()) {
            values.put(one.name(), DistinctValues.of(one, model.classes()));
        }
    }

    /** Why no job reaches the class; empty if one does. */
    Optional<String> obstacle(final JobClass target) {
        for (final Map.Entry<String, Domain> entry : target.mandatory().entrySet()) {
            if (inside(entry.getKey(), entry.getValue()).isEmpty()) {
                return Optional.of("is unreachable: no value of " + entry.getKey() + " satisfies it");
            }
        }
        final SplittableRandom random = new SplittableRandom(1);
        final Map<String, Integer> winners = new LinkedHashMap<>();
        for (int n = 0; n < TRIES; n++) {
            final List<String> found =
                    classifier.classify(classifier.given(job(target, random))).classes();
            if (found.contains(target.name())) {
                return Optional.empty();
            }
            found.forEach(winner -> winners.merge(winner, 1, Integer::sum));
        }
        return winners.entrySet().stream()
                .max(Comparator.comparing(Map.Entry::getValue))
                .map(winner ->
                        "is probably unreachable: " + TRIES + " tried jobs fit it, but other classes were preferred to"
                                + " it, most often '" + winner.getKey() + "'");
    }

    /** A job that is a candidate of the target. */
    private Map<String, Domain> job(final JobClass target, final SplittableRandom random) {
        final Map<String, Domain> job = new HashMap<>();
        for (final Characteristic one : model.characteristics()) {
            final Domain allowed = target.domain(one.name());
            final boolean mandatory = target.mandatory().containsKey(one.name());
            if (mandatory || random.nextInt(2) == 0) {
                final List<Domain> choice = allowed == null ? values(one.name()) : inside(one.name(), allowed);
                if (!choice.isEmpty()) {
                    job.put(one.name(), choice.get(random.nextInt(choice.size())));
                }
            }
        }
        return job;
    }

    private List<Domain> values(final String characteristic) {
        return values.getOrDefault(characteristic, List.of());
    }

    private List<Domain> inside(final String characteristic, final Domain allowed) {
        final List<Domain> inside = new ArrayList<>(values(characteristic));
        inside.removeIf(value -> !allowed.includes(value));
        return inside;
    }
}
