package io.millrace.classifier.domain.model;

import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** Listed values of an enumeration, a boolean ({@code true}, {@code false}) or a text. */
public record OneOf(Set<String> values) implements Domain {

    public static final OneOf TRUE = of("true");
    public static final OneOf FALSE = of("false");
    public static final OneOf BOTH = of("true", "false");

    public OneOf {
        values = Set.copyOf(values);
    }

    public static OneOf of(final String... values) {
        return new OneOf(Set.of(values));
    }

    @Override
    public boolean isEmpty() {
        return values.isEmpty();
    }

    @Override
    public boolean includes(final Domain other) {
        return other instanceof OneOf some && values.containsAll(some.values);
    }

    @Override
    public boolean intersects(final Domain other) {
        return other instanceof OneOf some ? !Collections.disjoint(values, some.values) : other.intersects(this);
    }

    @Override
    public String toString() {
        return values.size() == 1 ? values.iterator().next() : "{" + String.join(", ", new TreeSet<>(values)) + "}";
    }
}
