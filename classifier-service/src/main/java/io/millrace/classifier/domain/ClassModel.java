package io.millrace.classifier.domain;

import io.millrace.model.JobRef;
import io.millrace.model.policy.Classified;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The classes in force, and primary classification by them.
 *
 * <p>The paper's function chi is 1 for a class if every characteristic the class names is met by the job. Here an
 * additional characteristic that the job does not state counts as met; otherwise "additional" would mean the same as "basic".
 */
public record ClassModel(List<JobClass> classes) {

    public ClassModel {
        classes = List.copyOf(classes);
        if (classes.isEmpty()) {
            throw new IllegalArgumentException("a class model needs at least one class");
        }
        final Set<String> names = new HashSet<>();
        for (final JobClass known : classes) {
            if (!names.add(known.name())) {
                throw new IllegalArgumentException("class '" + known.name() + "' is defined twice; rename one");
            }
        }
    }

    /** The classes of a job in the order of the model, with the compared values; if none fits, why each class fails. */
    public Classified classify(final JobRef job, final Map<Characteristic, Value> stated) {
        final List<String> fitting = new ArrayList<>();
        final List<String> evidence = new ArrayList<>();
        final List<String> against = new ArrayList<>();
        for (final JobClass candidate : classes) {
            final Optional<String> failure = failure(candidate, stated);
            if (failure.isEmpty()) {
                fitting.add(candidate.name());
                evidence.add(candidate.name() + ": " + String.join(", ", met(candidate, stated)));
            } else {
                against.add(candidate.name() + ": " + failure.get());
            }
        }
        return new Classified(job, fitting, fitting.isEmpty() ? against : evidence);
    }

    /** Why the job does not belong to the class; empty if chi is 1. */
    private static Optional<String> failure(final JobClass candidate, final Map<Characteristic, Value> stated) {
        for (final var basic : candidate.basic().entrySet()) {
            final Value value = stated.get(basic.getKey());
            if (value == null) {
                return Optional.of(basic.getKey().label() + " is not stated");
            }
            if (!basic.getValue().contains(value)) {
                return Optional.of(outside(basic.getKey(), value, basic.getValue()));
            }
        }
        for (final var additional : candidate.additional().entrySet()) {
            final Value value = stated.get(additional.getKey());
            if (value != null && !additional.getValue().contains(value)) {
                return Optional.of(outside(additional.getKey(), value, additional.getValue()));
            }
        }
        return Optional.empty();
    }

    private static String outside(final Characteristic what, final Value value, final AllowedValues allowed) {
        return what.label() + "=" + value + " not in " + allowed;
    }

    private static List<String> met(final JobClass fitting, final Map<Characteristic, Value> stated) {
        final List<String> met = new ArrayList<>();
        fitting.basic().forEach((what, allowed) -> met.add(what.label() + "=" + stated.get(what) + " in " + allowed));
        fitting.additional().forEach((what, allowed) -> {
            if (stated.containsKey(what)) {
                met.add(what.label() + "=" + stated.get(what) + " in " + allowed);
            }
        });
        return met;
    }
}
