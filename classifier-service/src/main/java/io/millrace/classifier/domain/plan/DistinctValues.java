package io.millrace.classifier.domain.plan;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.JobClass;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import io.millrace.classifier.domain.model.TextPattern;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Values of a characteristic that represent all others, because the classes of a model do not distinguish between more. */
final class DistinctValues {

    private DistinctValues() {}

    /** @return domains inside that of the characteristic: single values, and the domains of the classes as they are */
    static List<Domain> of(final Characteristic characteristic, final List<JobClass> classes) {
        final List<Domain> used = new ArrayList<>(classes.stream()
                .map(one -> one.domain(characteristic.name()))
                .filter(Objects::nonNull)
                .toList());
        final Set<Domain> values = new LinkedHashSet<>(used);
        used.add(characteristic.domain());
        values.addAll(
                switch (characteristic.kind()) {
                    case NUMBER -> numbers(used);
                    case ENUM, BOOLEAN, TEXT -> names(used);
                    case SET -> sets(used);
                });
        values.removeIf(value -> value.isEmpty() || !characteristic.domain().includes(value));
        return List.copyOf(values);
    }

    private static List<Domain> numbers(final List<Domain> used) {
        final TreeSet<Double> bounds = new TreeSet<>();
        for (final Domain domain : used) {
            final NumberRange range = (NumberRange) domain;
            bounds.add(range.low());
            bounds.add(range.high());
        }
        bounds.removeIf(bound -> Double.isInfinite(bound));
        final List<Domain> numbers = new ArrayList<>();
        Double before = null;
        for (final double bound : bounds) {
            numbers.add(NumberRange.exactly(before == null ? bound - 1 : (before + bound) / 2));
            numbers.add(NumberRange.exactly(bound));
            before = bound;
        }
        numbers.add(NumberRange.exactly(before == null ? 0 : before + 1));
        return numbers;
    }

    private static List<Domain> names(final List<Domain> used) {
        final List<Domain> names = new ArrayList<>();
        for (final Domain domain : used) {
            switch (domain) {
                case OneOf some ->
                    some.values().stream().sorted().map(OneOf::of).forEach(names::add);
                case TextPattern text -> names.add(text);
                default -> {}
            }
        }
        return names;
    }

    private static List<Domain> sets(final List<Domain> used) {
        final List<Domain> sets = new ArrayList<>();
        for (final Domain domain : used) {
            final SetDomain set = (SetDomain) domain;
            final Set<String> least = new HashSet<>(set.allOf());
            set.anyOf().stream().sorted().findFirst().ifPresent(least::add);
            sets.add(SetDomain.exactly(least));
            if (set.within() != null) {
                sets.add(SetDomain.exactly(set.within()));
            }
        }
        return sets;
    }
}
