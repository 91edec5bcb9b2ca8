package io.millrace.classifier.domain.classification;

import io.millrace.classifier.domain.model.Characteristic;
import io.millrace.classifier.domain.model.Domain;
import io.millrace.classifier.domain.model.NumberRange;
import io.millrace.classifier.domain.model.OneOf;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/** Finds the classes whose domain of a characteristic includes a given domain, without visiting each class. */
interface DomainIndex {

    /** Removes from the mask the classes whose domain does not include the given one, or that do not use the characteristic. */
    void retain(Domain given, long[] mask);

    /**
     * @param domains the domains of the classes that use the characteristic, by the index of the class
     * @param classes how many classes there are
     */
    static DomainIndex of(final Characteristic.Kind kind, final Map<Integer, Domain> domains, final int classes) {
        return switch (kind) {
            case NUMBER -> new Numbers(domains, classes);
            case ENUM, BOOLEAN, TEXT -> new Names(domains, classes);
            case SET -> new Distinct(domains, classes);
        };
    }

    /** A range includes another one if it begins no later and ends no earlier: two searches in the sorted bounds. */
    final class Numbers implements DomainIndex {

        private final double[] lows;
        private final double[] highs;
        /** Classes whose domain begins before the i-th low bound. */
        private final long[][] begun;
        /** Classes whose domain ends at the i-th high bound or later. */
        private final long[][] open;

        private Numbers(final Map<Integer, Domain> domains, final int classes) {
            lows = bounds(ranges(domains).mapToDouble(NumberRange::low));
            highs = bounds(ranges(domains).mapToDouble(NumberRange::high));
            begun = masks(lows.length + 1, classes);
            open = masks(highs.length + 1, classes);
            domains.forEach((jobClass, domain) -> {
                final NumberRange range = (NumberRange) domain;
                for (int i = Arrays.binarySearch(lows, range.low()) + 1; i < begun.length; i++) {
                    ClassMask.add(begun[i], jobClass);
                }
                for (int i = Arrays.binarySearch(highs, range.high()); i >= 0; i--) {
                    ClassMask.add(open[i], jobClass);
                }
            });
        }

        private static Stream<NumberRange> ranges(final Map<Integer, Domain> domains) {
            return domains.values().stream().map(NumberRange.class::cast);
        }

        private static double[] bounds(final DoubleStream all) {
            return all.distinct().sorted().toArray();
        }

        private static long[][] masks(final int count, final int classes) {
            final long[][] masks = new long[count][];
            Arrays.setAll(masks, i -> ClassMask.empty(classes));
            return masks;
        }

        @Override
        public void retain(final Domain given, final long[] mask) {
            final NumberRange range = (NumberRange) given;
            final int low = Arrays.binarySearch(lows, range.low());
            final int high = Arrays.binarySearch(highs, range.high());
            ClassMask.intersect(mask, begun[low >= 0 ? low + 1 : -low - 1]);
            ClassMask.intersect(mask, open[high >= 0 ? high : -high - 1]);
        }
    }

    /** Listed names by a hash table; patterns one by one. */
    final class Names implements DomainIndex {

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
        public void retain(final Domain given, final long[] mask) {
            if (given instanceof OneOf some && patterns.isEmpty()) {
                retainListed(some, mask);
                return;
            }
            final long[] matching = mask.clone();
            patterns.retain(given, matching);
            if (given instanceof OneOf some) {
                retainListed(some, mask);
            } else {
                ClassMask.intersect(mask, none);
            }
            ClassMask.unite(mask, matching);
        }

        private void retainListed(final OneOf some, final long[] mask) {
            for (final String name : some.values()) {
                ClassMask.intersect(mask, listed.getOrDefault(name, none));
            }
        }
    }

    /** Compares with each domain once, however many classes have it. */
    final class Distinct implements DomainIndex {

        private final Domain[] domains;
        private final long[][] users;

        private Distinct(final Map<Integer, Domain> byClass, final int classes) {
            final Map<Domain, long[]> masks = new LinkedHashMap<>();
            byClass.forEach((jobClass, domain) ->
                    ClassMask.add(masks.computeIfAbsent(domain, d -> ClassMask.empty(classes)), jobClass));
            domains = masks.keySet().toArray(Domain[]::new);
            users = masks.values().toArray(long[][]::new);
        }

        private boolean isEmpty() {
            return domains.length == 0;
        }

        @Override
        public void retain(final Domain given, final long[] mask) {
            final long[] before = mask.clone();
            Arrays.fill(mask, 0);
            for (int d = 0; d < domains.length; d++) {
                if (domains[d].includes(given)) {
                    ClassMask.unite(mask, users[d]);
                }
            }
            ClassMask.intersect(mask, before);
        }
    }
}
