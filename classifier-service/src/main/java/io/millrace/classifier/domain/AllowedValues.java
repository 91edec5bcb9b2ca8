package io.millrace.classifier.domain;

import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The values of a characteristic that a class allows: a domain D_ij of the paper. */
public sealed interface AllowedValues {

    boolean contains(Value value);

    /**
     * Values between two bounds, each included or excluded; a missing bound is open.
     *
     * @param from null: no lower bound
     * @param to null: no upper bound
     */
    record Range(
            @Nullable Value from,
            boolean fromIncluded,
            @Nullable Value to,
            boolean toIncluded) implements AllowedValues {

        private static final Comparator<Value> ORDER = Range::compare;

        public Range {
            if (from == null && to == null) {
                throw new IllegalArgumentException("a range needs a lower or an upper bound");
            }
            if (from != null && to != null) {
                final int order = ORDER.compare(from, to);
                if (order > 0 || (order == 0 && !(fromIncluded && toIncluded))) {
                    throw new IllegalArgumentException("the range from " + from + " to " + to + " is empty");
                }
            }
        }

        public static Range exactly(final Value value) {
            return new Range(value, true, value, true);
        }

        @Override
        public boolean contains(final Value value) {
            final int low = from == null ? 1 : ORDER.compare(value, from);
            final int high = to == null ? -1 : ORDER.compare(value, to);
            return (low > 0 || (low == 0 && fromIncluded)) && (high < 0 || (high == 0 && toIncluded));
        }

        private static int compare(final Value one, final Value other) {
            if (one instanceof Value.Count a && other instanceof Value.Count b) {
                return Long.compare(a.n(), b.n());
            }
            if (one instanceof Value.Length a && other instanceof Value.Length b) {
                return a.duration().compareTo(b.duration());
            }
            if (one instanceof Value.Unlimited) {
                return other instanceof Value.Unlimited ? 0 : 1;
            }
            if (other instanceof Value.Unlimited) {
                return -1;
            }
            throw new IllegalArgumentException(one + " and " + other + " cannot be compared");
        }

        @Override
        public String toString() {
            return (fromIncluded ? "[" : "(") + (from == null ? "" : from) + "," + (to == null ? "" : to)
                    + (toIncluded ? "]" : ")");
        }
    }

    /** One of these names. */
    record OneOf(Set<String> names) implements AllowedValues {

        public OneOf {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("a list of names needs at least one");
            }
            names = Set.copyOf(names);
        }

        @Override
        public boolean contains(final Value value) {
            return value instanceof Value.Name name && names.contains(name.name());
        }

        @Override
        public String toString() {
            return "{" + String.join(",", new TreeSet<>(names)) + "}";
        }
    }
}
