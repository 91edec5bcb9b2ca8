package io.millrace.model.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PriorityRulesTest {

    private static final Duration WEEK = Duration.ofDays(7);
    private static final JobKey JOB =
            new JobKey(new JobId(ClusterId.of("alpha"), "17"), Instant.parse("2026-03-01T08:00:00Z"));

    /** */
    @Test
    void guaranteed_work_stays_first_whatever_the_weights() {
        assertThatThrownBy(() -> rules(Map.of(PriorityTerm.AGE, 600_000, PriorityTerm.SIZE, -400_000)))
                .hasMessageContaining("must stay below 1000000")
                .hasMessageContaining("they are 1000000");
        assertThatThrownBy(() -> rules(Map.of(PriorityTerm.AGE, Integer.MIN_VALUE)))
                .hasMessageContaining("they are 2147483648");
        assertThatThrownBy(() -> rules(Map.of(PriorityTerm.ENTITLEMENT, 5))).hasMessageContaining("'right' is fixed");
        assertThat(rules(Map.of(PriorityTerm.AGE, 999_999)).weight(PriorityTerm.ENTITLEMENT))
                .isEqualTo(1_000_000);
    }

    @Test
    void factors_and_spans_out_of_range_are_named() {
        assertThatThrownBy(() -> new PriorityRules(
                        Map.of(), WEEK, WEEK, Map.of(), Map.of(), Map.of(ProjectName.of("physics"), 101), null))
                .hasMessage("the factor of project 'physics' must be between 0 and 100, got 101");
        assertThatThrownBy(() -> new PriorityRules(Map.of(), Duration.ZERO, WEEK, Map.of(), Map.of(), Map.of(), null))
                .hasMessageStartingWith("max-age must be between a second");
    }

    @Test
    void a_term_adds_its_weight_at_a_hundred_percent_and_nothing_at_zero() {
        assertThat(new WeightedTerm(PriorityTerm.AGE, 100, 500).points()).isEqualTo(500);
        assertThat(new WeightedTerm(PriorityTerm.SIZE, 25, -200).points()).isEqualTo(-50);
        assertThat(new WeightedTerm(PriorityTerm.USE, 0, 500).points()).isZero();
        assertThat(new WeightedTerm(PriorityTerm.AGE, 100, Integer.MAX_VALUE).points())
                .isEqualTo(Integer.MAX_VALUE);
    }

    /** */
    @Test
    void factors_are_whole_per_cents_between_nothing_and_all() {
        final PriorityRules rules = new PriorityRules(
                Map.of(),
                WEEK,
                WEEK,
                Map.of("wide", 30, "long", 50),
                Map.of("urgent", 100),
                Map.of(ProjectName.of("physics"), 80),
                null);

        assertThat(rules.age_percent(Duration.ofHours(-1))).isZero();
        assertThat(rules.age_percent(Duration.ofHours(42))).isEqualTo(25);
        assertThat(rules.age_percent(Duration.ofDays(8))).isEqualTo(100);
        assertThat(rules.class_percent(List.of("wide", "long", "small"))).isEqualTo(50);
        assertThat(rules.class_percent(List.of())).isZero();
        assertThat(rules.urgency_percent("urgent")).isEqualTo(100);
        assertThat(rules.urgency_percent(null)).isZero();
        assertThat(rules.project_percent(ProjectName.of("physics"))).isEqualTo(80);
        assertThat(rules.project_percent(ProjectName.of("chemistry"))).isZero();
        assertThat(rules.project_percent(null)).isZero();
    }

    /** */
    @Test
    void what_a_priority_opens_is_named_once_first_choice_first_and_never_the_jobs_own_partition() {
        final PriorityRules rules = PriorityRules.NONE.withOverflow(List.of(
                overflow("alpha", "main", 5000, "fast", "span"),
                overflow(null, null, 6000, "span", "main", "idle"),
                overflow("beta", null, 0, "beta-only")));

        assertThat(rules.opened(JOB, PartitionName.of("main"), 4999)).isEmpty();
        assertThat(rules.opened(JOB, PartitionName.of("main"), 5000))
                .containsExactly(PartitionName.of("fast"), PartitionName.of("span"));
        assertThat(rules.opened(JOB, PartitionName.of("main"), 6000))
                .containsExactly(PartitionName.of("fast"), PartitionName.of("span"), PartitionName.of("idle"));
        assertThat(rules.opened(JOB, PartitionName.of("span"), 6000))
                .containsExactly(PartitionName.of("main"), PartitionName.of("idle"));
        assertThat(PriorityRules.NONE.opened(JOB, PartitionName.of("main"), 6000))
                .isEmpty();
    }

    @Test
    void an_opening_that_opens_nothing_is_refused() {
        assertThatThrownBy(() -> overflow(null, null, 1)).hasMessage("'to' must name 1 to 20 partitions, got 0");
        assertThatThrownBy(() -> overflow(null, null, 1, "fast", "fast")).hasMessageContaining("twice");
        assertThatThrownBy(() -> overflow(null, "fast", 1, "fast")).hasMessageContaining("where the job waits already");
    }

    private static PartitionOverflow overflow(
            final @Nullable String cluster, final @Nullable String from, final long at, final String... to) {
        return new PartitionOverflow(
                cluster == null ? null : ClusterId.of(cluster),
                from == null ? null : PartitionName.of(from),
                at,
                Stream.of(to).map(PartitionName::of).toList());
    }

    private static PriorityRules rules(final Map<PriorityTerm, Integer> weights) {
        return new PriorityRules(weights, WEEK, WEEK, Map.of(), Map.of(), Map.of(), null);
    }
}
