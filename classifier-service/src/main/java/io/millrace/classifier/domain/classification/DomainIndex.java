package io.millrace.classifier.domain.classification;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import io.millrace.classifier.domain.model.SetDomain;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.DoubleStream;

/** Finds the classes whose domain of a characteristic includes a given domain, without visiting each class. */
abstract sealed class DomainIndex {

    /**
     * Sets the mask to the classes that use the characteristic and whose domain includes the given one.
     *
     * @param given not empty
     */
    abstract void find(Domain given, long[] mask);

    /**
     * @param domains the domains of the classes that use the characteristic, by the index of the class
     * @param classes how many classes there are
     */
    static DomainIndex of(final Characteristic.Kind kind, final Map<Integer, Domain> domains, final int classes) {
        return switch (kind) {
            case NUMBER -> new Numbers(domains, classes);
            case ENUM, BOOLEAN, TEXT -> new Names(domains, classes);
            case SET -> new Sets(domains, classes);
        };
    }

    /**
     * A range includes another one if it begins no later and ends no earlier. A single number takes one search in the sorted bounds, which
     * a grid of equal cells narrows down to the few bounds in the same cell.
     */
    private static final class Numbers extends DomainIndex {

        private static final int CELLS_PER_BOUND = 4;

        /** Where the domains begin and end, ascending. */
        private final double[] bounds;
        /** For each cell of the grid, and for the end of the last one, how many bounds are in the cells before it. */
        private final int[] before;

        private final double gridStart;
        private final double cellsPerUnit;
        /** The classes whose domain begins no later than a position; see {@link #position}. */
        private final long[][] begun;
        /** The classes whose domain ends no earlier than a position. */
        private final long[][] open;
        /** The classes whose domain includes a position. */
        private final long[][] around;

        private Numbers(final Map<Integer, Domain> domains, final int classes) {
            bounds = domains.values().stream()
                    .map(NumberRange.class::cast)
                    .flatMapToDouble(range -> DoubleStream.of(range.low(), range.high()))
                    .distinct()
                    .sorted()
                    .toArray();
            final double[] finite =
                    Arrays.stream(bounds).filter(Double::isFinite).toArray();
            gridStart = finite.length == 0 ? 0 : finite[0];
            cellsPerUnit =
                    finite.length < 2 ? 1 : CELLS_PER_BOUND * finite.length / (finite[finite.length - 1] - gridStart);
            before = new int[CELLS_PER_BOUND * finite.length + 2];
            for (final double bound : bounds) {
                before[cell(bound) + 1]++;
            }
            Arrays.parallelPrefix(before, Integer::sum);
            begun = masks(classes);
            open = masks(classes);
            domains.forEach((jobClass, domain) -> {
                final NumberRange range = (NumberRange) domain;
                for (int i = position(range.low()); i < begun.length; i++) {
                    ClassMask.add(begun[i], jobClass);
                }
                for (int i = position(range.high()); i >= 0; i--) {
                    ClassMask.add(open[i], jobClass);
                }
            });
            around = masks(classes);
            for (int i = 0; i < around.length; i++) {
                ClassMask.unite(around[i], begun[i]);
                ClassMask.intersect(around[i], open[i]);
            }
        }

        private long[][] masks(final int classes) {
            final long[][] masks = new long[2 * bounds.length + 1][];
            Arrays.setAll(masks, i -> ClassMask.empty(classes));
            return masks;
        }

        @Override
        void find(final Domain given, final long[] mask) {
            final NumberRange range = (NumberRange) given;
            final double low = range.low();
            final double high = range.high();
            if (low == high) {
                ClassMask.copy(around[position(low)], mask);
            } else {
                ClassMask.copy(begun[position(low)], mask);
                ClassMask.intersect(mask, open[position(high)]);
            }
        }

        /** Never decreases with the number, so that all bounds in lower cells are below it. */
        private int cell(final double number) {
            return (int) Math.clamp((number - gridStart) * cellsPerUnit, 0, before.length - 2);
        }

        /** 2 i + 1 for the i-th bound, 2 i for a number between it and the bound before. */
        private int position(final double number) {
            final int cell = cell(number);
            int below = before[cell];
            // Without a branch that depends on the number, because the processor could not predict it.
            for (int length = before[cell + 1] - below; length > 0; length >>>= 1) {
                final int half = length + 1 >>> 1;
                below += bounds[below + half - 1] < number ? half : 0;
            }
            return below < bounds.length && bounds[below] == number ? 2 * below + 1 : 2 * below;
        }
    }

    /** Listed names by a hash table; patterns one by one. */
    private static final class Names extends DomainIndex {

        private final Map<String, long[]> listed = new HashMap<>();
        private final Distinct patterns;
        private final long[] none;

        private Names(final Map<Integer, Domain> domains, final int classes) {
            final Map<Integer, Domain> others = new HashMap<>();
            none = ClassMask.empty(classes);
            domains.forEach((jobClass, domain) -> {
                if (domain instanceof OneOf some) {
                    some.values()
                            .forEach(name -> ClassMask.add(
                                    listed.computeIfAbsent(name, n -> ClassMask.empty(classes)), jobClass));
                } else {
                    others.put(jobClass, domain);
                }
            });
            patterns = new Distinct(others, classes);
        }

        @Override
        void find(final Domain given, final long[] mask) {
            if (given instanceof OneOf some) {
                Arrays.fill(mask, -1);
                for (final String name : some.values()) {
                    ClassMask.intersect(mask, listed.getOrDefault(name, none));
                }
            } else {
                Arrays.fill(mask, 0);
            }
            patterns.add(given, mask);
        }
    }

    /** Elements of sets by hash tables; the conditions are those of {@link SetDomain#includes}. */
    private static final class Sets extends DomainIndex {

        /** The classes that allow an element; those that allow every element are in all of these masks. */
        private final Map<String, long[]> within = new HashMap<>();

        private final Map<String, long[]> required = new HashMap<>();
        private final Map<String, long[]> alternatives = new HashMap<>();
        private final long[] users;
        private final long[] unlimited;
        private final long[] withoutAlternatives;
        private final long[] none;

        private Sets(final Map<Integer, Domain> domains, final int classes) {
            users = ClassMask.empty(classes);
            unlimited = ClassMask.empty(classes);
            withoutAlternatives = ClassMask.empty(classes);
            none = ClassMask.empty(classes);
            domains.forEach((jobClass, domain) -> {
                final SetDomain sets = (SetDomain) domain;
                ClassMask.add(users, jobClass);
                if (sets.within() == null) {
                    ClassMask.add(unlimited, jobClass);
                } else {
                    add(within, sets.within(), jobClass, classes);
                }
                add(required, sets.allOf(), jobClass, classes);
                add(alternatives, sets.anyOf(), jobClass, classes);
                if (sets.anyOf().isEmpty()) {
                    ClassMask.add(withoutAlternatives, jobClass);
                }
            });
            within.values().forEach(mask -> ClassMask.unite(mask, unlimited));
        }

        private static void add(
                final Map<String, long[]> masks, final Set<String> elements, final int jobClass, final int classes) {
            elements.forEach(one -> ClassMask.add(masks.computeIfAbsent(one, e -> ClassMask.empty(classes)), jobClass));
        }

        @Override
        void find(final Domain given, final long[] mask) {
            final SetDomain sets = (SetDomain) given;
            // Those with an alternative that the job certainly has.
            ClassMask.copy(withoutAlternatives, mask);
            for (final String element : sets.allOf()) {
                ClassMask.unite(mask, alternatives.getOrDefault(element, none));
            }
            if (!sets.anyOf().isEmpty()) {
                ClassMask.unite(mask, intersection(alternatives, sets.anyOf(), users, none));
            }
            if (sets.within() == null) {
                ClassMask.intersect(mask, unlimited);
            } else {
                ClassMask.intersect(mask, intersection(within, sets.within(), users, unlimited));
            }
            required.forEach((element, classes) -> {
                if (!sets.allOf().contains(element)) {
                    ClassMask.remove(mask, classes);
                }
            });
        }

        private static long[] intersection(
                final Map<String, long[]> masks, final Set<String> elements, final long[] all, final long[] other) {
            final long[] mask = all.clone();
            for (final String element : elements) {
                ClassMask.intersect(mask, masks.getOrDefault(element, other));
            }
            return mask;
        }
    }

    /** Compares with each domain once, however many classes have it. */
    private static final class Distinct {

        private final Domain[] domains;
        private final long[][] users;

        private Distinct(final Map<Integer, Domain> byClass, final int classes) {
            final Map<Domain, long[]> masks = new LinkedHashMap<>();
            byClass.forEach((jobClass, domain) ->
                    ClassMask.add(masks.computeIfAbsent(domain, d -> ClassMask.empty(classes)), jobClass));
            domains = masks.keySet().toArray(Domain[]::new);
            users = masks.values().toArray(long[][]::new);
        }

        /** Adds the classes whose domain includes the given one. */
        private void add(final Domain given, final long[] mask) {
            for (int d = 0; d < domains.length; d++) {
                if (domains[d].includes(given)) {
                    ClassMask.unite(mask, users[d]);
                }
            }
        }
    }
}
