package io.millrace.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ProjectName;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PriorityRulesTest {

    private static final Duration WEEK = Duration.ofDays(7);

    @Test
    void guaranteed_work_stays_first_whatever_the_weights() {
        assertThatThrownBy(() -> rules(Map.of(PriorityTerm.AGE, 600_000, PriorityTerm.SIZE, -400_000)))
                .hasMessageContaining("must stay below 1000000")
                .hasMessageContaining("they are 1000000");
        assertThatThrownBy(() -> rules(Map.of(PriorityTerm.AGE, Integer.MIN_VALUE)))
                .hasMessageContaining("they are 2147483648");
        assertThatThrownBy(() -> rules(Map.of(PriorityTerm.RIGHT, 5))).hasMessageContaining("'right' is fixed");
        assertThat(rules(Map.of(PriorityTerm.AGE, 999_999)).weight(PriorityTerm.RIGHT))
                .isEqualTo(1_000_000);
    }

    @Test
    void factors_and_spans_out_of_range_are_named() {
        assertThatThrownBy(() -> new PriorityRules(
                        Map.of(), WEEK, WEEK, Map.of(), Map.of(), Map.of(ProjectName.of("physics"), 101)))
                .hasMessage("the factor of project 'physics' must be between 0 and 100, got 101");
        assertThatThrownBy(() -> new PriorityRules(Map.of(), Duration.ZERO, WEEK, Map.of(), Map.of(), Map.of()))
                .hasMessageStartingWith("full-age must be between a second");
    }

    @Test
    void a_term_adds_its_weight_at_a_hundred_percent_and_nothing_at_zero() {
        assertThat(new WeighedTerm(PriorityTerm.AGE, 100, 500).points()).isEqualTo(500);
        assertThat(new WeighedTerm(PriorityTerm.SIZE, 25, -200).points()).isEqualTo(-50);
        assertThat(new WeighedTerm(PriorityTerm.USE, 0, 500).points()).isZero();
        assertThat(new WeighedTerm(PriorityTerm.AGE, 100, Integer.MAX_VALUE).points())
                .isEqualTo(Integer.MAX_VALUE);
    }

    private static PriorityRules rules(final Map<PriorityTerm, Integer> weights) {
        return new PriorityRules(weights, WEEK, WEEK, Map.of(), Map.of(), Map.of());
    }
}
