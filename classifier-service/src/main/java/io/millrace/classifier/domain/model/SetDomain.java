package io.millrace.classifier.domain.model;

import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values that are sets, such as the modules that a script loads.
 *
 * @param within all elements are among these; null: any elements
 * @param allOf each of these is an element
 * @param anyOf at least one of these is an element; none: no such condition
 */
public record SetDomain(@Nullable Set<String> within, Set<String> allOf, Set<String> anyOf) implements Domain {

    /** Every set. */
    public static final SetDomain ANY = new SetDomain(null, Set.of(), Set.of());

    public SetDomain {
        within = within == null ? null : Set.copyOf(within);
        // In the form that makes includes() exact: an alternative is possible, and there are several or none.
        final Set<String> possible = within == null ? anyOf : common(anyOf, within);
        final Set<String> required = new HashSet<>(allOf);
        if (possible.size() == 1) {
            required.addAll(possible);
        }
        allOf = Set.copyOf(required);
        anyOf = !Collections.disjoint(anyOf, allOf) ? Set.of() : Set.copyOf(possible.isEmpty() ? anyOf : possible);
    }

    /** The domain of this set alone. */
    public static SetDomain exactly(final Set<String> elements) {
        return new SetDomain(elements, elements, Set.of());
    }

    public static SetDomain within(final Set<String> elements) {
        return new SetDomain(elements, Set.of(), Set.of());
    }

    @Override
    public boolean isEmpty() {
        return within != null
                && (!within.containsAll(allOf) || !anyOf.isEmpty() && Collections.disjoint(within, anyOf));
    }

    @Override
    public boolean includes(final Domain other) {
        return other instanceof SetDomain sets && (includesAll(sets) || sets.isEmpty());
    }

    private boolean includesAll(final SetDomain sets) {
        return (within == null || sets.within != null && within.containsAll(sets.within))
                && sets.allOf.containsAll(allOf)
                && (anyOf.isEmpty()
                        || !Collections.disjoint(anyOf, sets.allOf)
                        || !sets.anyOf.isEmpty() && anyOf.containsAll(sets.anyOf));
    }

    @Override
    public boolean intersects(final Domain other) {
        return other instanceof SetDomain sets && intersectsSets(sets);
    }

    /** If any set satisfies both, then the largest one that is within both does. */
    private boolean intersectsSets(final SetDomain sets) {
        final Set<String> largest = new HashSet<>(allOf);
        largest.addAll(sets.allOf);
        largest.addAll(anyOf);
        largest.addAll(sets.anyOf);
        final Set<String> required = new HashSet<>(allOf);
        required.addAll(sets.allOf);
        if (within != null) {
            largest.retainAll(within);
        }
        if (sets.within != null) {
            largest.retainAll(sets.within);
        }
        return largest.containsAll(required)
                && (anyOf.isEmpty() || !Collections.disjoint(anyOf, largest))
                && (sets.anyOf.isEmpty() || !Collections.disjoint(sets.anyOf, largest));
    }

    private static Set<String> common(final Set<String> some, final Set<String> others) {
        return some.stream().filter(others::contains).collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public String toString() {
        if (allOf.equals(within)) {
            return text(allOf);
        }
        final StringBuilder text = new StringBuilder("any set");
        text.append(within == null ? "" : " within " + text(within));
        text.append(allOf.isEmpty() ? "" : " with all of " + text(allOf));
        text.append(anyOf.isEmpty() ? "" : " with any of " + text(anyOf));
        return text.toString();
    }

    private static String text(final Set<String> elements) {
        return "{" + String.join(", ", new TreeSet<>(elements)) + "}";
    }
}
