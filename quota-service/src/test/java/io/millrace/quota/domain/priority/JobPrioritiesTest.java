package io.millrace.quota.domain.priority;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.model.policy.WeightedTerm;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.model.quota.Usage;
import io.millrace.model.quota.Usage.Decayed;
import io.millrace.quota.domain.QuotaScenario;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** the terms of a priority. Jobs of a {@link QuotaScenario} were submitted two hours before noon. */
class JobPrioritiesTest {

    private static final Duration HALF_LIFE = Duration.ofDays(7);
    private static final UserName ANNA = UserName.of("anna");

    private static final PriorityRules RULES = new PriorityRules(
            Map.of(
                    PriorityTerm.AGE, 1000,
                    PriorityTerm.SIZE, -200,
                    PriorityTerm.USE, 5000,
                    PriorityTerm.CLASS, 300,
                    PriorityTerm.URGENCY, 2000,
                    PriorityTerm.PROJECT, 40),
            Duration.ofHours(8),
            HALF_LIFE,
            Map.of("wide", 100, "long", 50),
            Map.of("urgent", 100),
            Map.of(ProjectName.of("physics"), 80),
            null);

    /** */
    @Test
    void a_priority_is_the_sum_of_its_terms() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("anna", 8)
                .waits("a1", "anna", 4)
                .chargedTo("a1", "physics", "urgent");
        scene.priority = new PriorityView(RULES, job -> List.of("long", "wide"), Map.of());

        final Entitlement entitlement = entitlement(scene, "a1");

        assertThat(entitlement.terms())
                .containsExactly(
                        new WeightedTerm(PriorityTerm.ENTITLEMENT, 100, 1_000_000),
                        new WeightedTerm(PriorityTerm.AGE, 25, 1000),
                        new WeightedTerm(PriorityTerm.SIZE, 25, -200),
                        new WeightedTerm(PriorityTerm.USE, 100, 5000),
                        new WeightedTerm(PriorityTerm.CLASS, 100, 300),
                        new WeightedTerm(PriorityTerm.URGENCY, 100, 2000),
                        new WeightedTerm(PriorityTerm.PROJECT, 80, 40));
        assertThat(entitlement.priority()).isEqualTo(1_000_000 + 250 - 50 + 5000 + 300 + 2000 + 32);
    }

    /** */
    @Test
    void terms_with_factor_zero_are_left_out_and_age_is_limited() {
        final QuotaScenario scene = QuotaScenario.cluster(16).waits("z1", "zoe", 4);
        scene.priority = PriorityView.of(
                new PriorityRules(
                        Map.of(PriorityTerm.AGE, 7),
                        Duration.ofHours(1),
                        HALF_LIFE,
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        null),
                job -> List.of("unheard-of"),
                List.of());

        assertThat(entitlement(scene, "z1").terms())
                .containsExactly(
                        new WeightedTerm(PriorityTerm.AGE, 100, 7),
                        new WeightedTerm(PriorityTerm.SIZE, 25, 0),
                        new WeightedTerm(PriorityTerm.USE, 100, 0));
        assertThat(entitlement(scene, "z1").priority()).isEqualTo(7);
    }

    /** */
    @Test
    void a_full_quota_gives_half_of_the_use_factor_and_no_use_gives_all() {
        final QuotaScenario scene = QuotaScenario.cluster(100)
                .quota("anna", 8)
                .quota("bob", 8)
                .waits("a1", "anna", 4)
                .waits("b1", "bob", 4);
        final long steady_core_s = Math.round(8 * HALF_LIFE.toSeconds() / Math.log(2));
        scene.priority = PriorityView.of(RULES, job -> List.of(), List.of(usage(8, steady_core_s)));

        assertThat(entitlement(scene, "a1").terms()).contains(new WeightedTerm(PriorityTerm.USE, 50, 5000));
        assertThat(entitlement(scene, "b1").terms()).contains(new WeightedTerm(PriorityTerm.USE, 100, 5000));
    }

    @Test
    void no_weights_put_borrowed_jobs_before_guaranteed_jobs() {
        final QuotaScenario scene =
                QuotaScenario.cluster(16).quota("bob", 2).waits("z1", "zoe", 16).waits("b1", "bob", 2);
        scene.priority = PriorityView.of(
                new PriorityRules(
                        Map.of(PriorityTerm.SIZE, 999_999),
                        Duration.ofDays(7),
                        HALF_LIFE,
                        Map.of(),
                        Map.of(),
                        Map.of(),
                        null),
                job -> List.of(),
                List.of());

        assertThat(entitlement(scene, "z1").priority()).isEqualTo(999_999);
        assertThat(entitlement(scene, "b1").priority()).isGreaterThan(999_999);
    }

    /** */
    @Test
    void from_its_threshold_on_a_priority_opens_other_partitions() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .partitions("main", "fast", "span")
                .waits("a1", "anna", 4)
                .waits("b1", "bob", 4)
                .chargedTo("b1", "physics", "urgent");
        scene.priority = PriorityView.of(
                RULES.withOverflow(List.of(new PartitionOverflow(
                        null,
                        PartitionName.of("main"),
                        7000,
                        List.of(PartitionName.of("span"), PartitionName.of("gone"), PartitionName.of("fast"))))),
                job -> List.of(),
                List.of());

        assertThat(entitlement(scene, "a1").priority()).isLessThan(7000);
        assertThat(entitlement(scene, "a1").otherPartitions()).isEmpty();
        assertThat(entitlement(scene, "b1").priority()).isGreaterThanOrEqualTo(7000);
        assertThat(entitlement(scene, "b1").otherPartitions())
                .containsExactly(PartitionName.of("span"), PartitionName.of("fast"));
        assertThat(scene.planned("b1").isPublishedAs(entitlement(scene, "b1").withOtherPartitions(List.of())))
                .as("that it may now is published")
                .isFalse();
    }

    @Test
    void a_held_job_reaches_no_partition() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .partitions("main", "fast")
                .quotaOf("anna", 2, new QuotaTerms(null, 0, null, List.of()))
                .waits("a1", "anna", 4);
        scene.priority = PriorityView.of(
                RULES.withOverflow(List.of(new PartitionOverflow(null, null, 0, List.of(PartitionName.of("fast"))))),
                job -> List.of(),
                List.of());

        assertThat(entitlement(scene, "a1").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(entitlement(scene, "a1").otherPartitions()).isEmpty();
    }

    @Test
    void a_running_job_has_no_terms_and_its_start_does_not_publish_a_new_entitlement() {
        final QuotaScenario before = QuotaScenario.cluster(16).quota("anna", 8).waits("a1", "anna", 4);
        before.priority = PriorityView.of(RULES, job -> List.of(), List.of());
        final QuotaScenario after = QuotaScenario.cluster(16).quota("anna", 8).runs("a1", "anna", 4, 1);

        assertThat(entitlement(after, "a1").terms()).isNull();
        assertThat(after.planned("a1").isPublishedAs(entitlement(before, "a1"))).isTrue();
        assertThat(before.planned("a1").isPublishedAs(entitlement(after, "a1"))).isFalse();
    }

    @Test
    void passing_seconds_do_not_publish_a_new_entitlement() {
        final QuotaScenario scene = QuotaScenario.cluster(16).quota("anna", 8).waits("a1", "anna", 4);
        scene.priority = PriorityView.of(RULES, job -> List.of(), List.of());
        final Entitlement now = scene.plan().entitlements().get(scene.key("a1"));

        assertThat(scene.planned("a1", QuotaScenario.NOON.plusSeconds(100)).isPublishedAs(now))
                .isTrue();
        assertThat(scene.planned("a1", QuotaScenario.NOON.plusSeconds(300)).isPublishedAs(now))
                .isFalse();
    }

    @Test
    void use_is_published_when_cores_change_and_kept_until_it_has_decayed() {
        final QuotaScenario idle = QuotaScenario.cluster(16);
        idle.priority = PriorityView.of(RULES, job -> List.of(), List.of(usage(8, 100_000)));
        final QuotaScenario busy = QuotaScenario.cluster(16).runs("a1", "anna", 8, 1);
        busy.priority = idle.priority;

        assertThat(busy.plan(QuotaScenario.NOON.plusSeconds(3600))
                        .usage()
                        .get(ANNA)
                        .decayed())
                .isEqualTo(new Decayed(100_000, QuotaScenario.NOON));
        final Usage left = idle.plan(QuotaScenario.NOON.plusSeconds(10)).usage().get(ANNA);
        assertThat(left.decayed()).isEqualTo(new Decayed(100_079, QuotaScenario.NOON.plusSeconds(10)));
        idle.priority = PriorityView.of(RULES, job -> List.of(), List.of(left));
        assertThat(idle.plan(QuotaScenario.NOON.plus(HALF_LIFE.multipliedBy(4))).usage())
                .containsKey(ANNA);
        assertThat(idle.plan(QuotaScenario.NOON.plus(HALF_LIFE.multipliedBy(5))).usage())
                .doesNotContainKey(ANNA);
    }

    private static Usage usage(final int cores, final long before_core_s) {
        return new Usage(QuotaScenario.ALPHA, ANNA, cores, 0, 0, cores, 0)
                .with(new Decayed(before_core_s, QuotaScenario.NOON));
    }

    private static Entitlement entitlement(final QuotaScenario scene, final String job) {
        return scene.plan().entitlements().get(scene.key(job));
    }
}
