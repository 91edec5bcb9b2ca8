package io.millrace.classifier.domain.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DomainTest {

    private static final List<String> ELEMENTS = List.of("a", "b", "c");

    @Test
    void an_exclusive_bound_does_not_belong_to_a_range() {
        final NumberRange open = new NumberRange(60, true, 90, true);
        assertThat(open.includes(NumberRange.exactly(60))).isFalse();
        assertThat(open.includes(NumberRange.exactly(Math.nextUp(60.0)))).isTrue();
        assertThat(open.includes(NumberRange.exactly(90))).isFalse();
        assertThat(open.includes(open)).isTrue();
        assertThat(open.includes(NumberRange.between(60, 90))).isFalse();
        assertThat(NumberRange.between(60, 90).includes(open)).isTrue();
        assertThat(open).hasToString("(60,90)");
    }

    @Test
    void a_range_is_empty_if_no_number_is_between_its_bounds() {
        assertThat(NumberRange.between(2, 2).isEmpty()).isFalse();
        assertThat(new NumberRange(2, true, 2, false).isEmpty()).isTrue();
        assertThat(NumberRange.between(3, 2).isEmpty()).isTrue();
    }

    @Test
    void zero_has_no_sign() {
        assertThat(NumberRange.exactly(-0.0)).isEqualTo(NumberRange.exactly(0.0));
        assertThat(NumberRange.between(0.0, 1).includes(NumberRange.exactly(-0.0)))
                .isTrue();
    }

    @Test
    void ranges_intersect_if_a_number_belongs_to_both() {
        assertThat(NumberRange.between(1, 5).intersects(NumberRange.between(5, 60)))
                .isTrue();
        assertThat(NumberRange.between(1, 5).intersects(NumberRange.moreThan(5)))
                .isFalse();
    }

    @Test
    void a_pattern_includes_the_texts_that_match_as_a_whole() {
        final TextPattern solver = TextPattern.of("(mpi)?solve");
        assertThat(solver.includes(OneOf.of("solve", "mpisolve"))).isTrue();
        assertThat(solver.includes(OneOf.of("solve", "resolve"))).isFalse();
        assertThat(solver.intersects(OneOf.of("solve", "resolve"))).isTrue();
        assertThat(OneOf.of("resolve").intersects(solver)).isFalse();
        assertThat(solver.includes(TextPattern.of("(mpi)?solve"))).isTrue();
        assertThat(solver.includes(TextPattern.of("solve"))).isFalse();
        assertThat(TextPattern.ANY.includes(solver)).isTrue();
        assertThat(TextPattern.ANY.includes(OneOf.of("two\nlines"))).isTrue();
    }

    /** All subsets of the elements that a domain has. */
    private static List<Set<String>> members(final SetDomain domain) {
        final List<Set<String>> members = new ArrayList<>();
        for (int bits = 0; bits < 8; bits++) {
            final Set<String> set = new HashSet<>();
            for (int e = 0; e < 3; e++) {
                if ((bits >> e & 1) != 0) {
                    set.add(ELEMENTS.get(e));
                }
            }
            if ((domain.within() == null || domain.within().containsAll(set))
                    && set.containsAll(domain.allOf())
                    && (domain.anyOf().isEmpty() || domain.anyOf().stream().anyMatch(set::contains))) {
                members.add(set);
            }
        }
        return members;
    }

    private static Set<String> some(final Random random) {
        final Set<String> some = new HashSet<>();
        for (int n = random.nextInt(3); n > 0; n--) {
            some.add(ELEMENTS.get(random.nextInt(3)));
        }
        return some;
    }

    private static SetDomain sets(final Random random) {
        return new SetDomain(random.nextBoolean() ? some(random) : Set.copyOf(ELEMENTS), some(random), some(random));
    }

    @Test
    void domains_of_sets_compare_as_the_sets_that_they_describe() {
        final Random random = new Random(1);
        for (int n = 0; n < 5_000; n++) {
            final SetDomain one = sets(random);
            final SetDomain other = sets(random);
            assertThat(one.isEmpty())
                    .as("%s is empty", one)
                    .isEqualTo(members(one).isEmpty());
            assertThat(one.includes(other))
                    .as("%s includes %s", one, other)
                    .isEqualTo(members(one).containsAll(members(other)));
            assertThat(one.intersects(other))
                    .as("%s intersects %s", one, other)
                    .isEqualTo(members(one).stream().anyMatch(members(other)::contains));
        }
    }
}
