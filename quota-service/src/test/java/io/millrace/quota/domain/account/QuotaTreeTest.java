package io.millrace.quota.domain.account;

import static io.millrace.quota.domain.QuotaScenario.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaPeriod;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.plan.QuotaPlan;
import io.millrace.quota.domain.quota.GroupTree;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** quotas of projects, groups, all clusters and GPUs, periods, and limits on borrowing and lending. */
class QuotaTreeTest {

    /** */
    @Test
    void jobs_for_a_project_use_its_quota() {
        final QuotaScenario scene = QuotaScenario.cluster(32).quotaOf("project:physics", 12);
        scene.runs("a1", "anna", 8, 60).forProject("physics");
        scene.waits("b1", "bob", 4).forProject("physics");
        scene.waits("b2", "bob", 4).forProject("physics");
        scene.waits("b3", "bob", 4);

        assertThat(right(scene, "a1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(right(scene, "b1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(right(scene, "b2"))
                .as("the project's 12 cores are spoken for")
                .isEqualTo(EntitlementLevel.BORROWED);
        assertThat(entitlement(scene, "b2").reason())
                .isEqualTo(
                        "beyond quota 12 of project:physics (4 cores; 4 in use or guaranteed before it; 4 of the quota"
                                + " left for this user)");
        assertThat(right(scene, "b3")).as("bob himself has no quota").isEqualTo(EntitlementLevel.BORROWED);
    }

    /** */
    @Test
    void a_group_limits_the_guarantee_of_its_members_and_older_jobs_come_first() {
        final QuotaScenario scene =
                QuotaScenario.cluster(64).group("science", "anna", "bob").quotaOf("group:science", 12);
        scene.quota("anna", 8).quota("bob", 8);
        scene.runs("b1", "bob", 8, 10);
        scene.runs("a1", "anna", 8, 60);

        assertThat(right(scene, "a1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(right(scene, "b1")).isEqualTo(EntitlementLevel.BORROWED);
        assertThat(scene.plan().usage().get(UserName.of("bob")).quotaCores()).isEqualTo(4);
    }

    /** */
    @Test
    void jobs_beyond_the_quota_of_a_group_are_preempted_though_its_members_are_within_theirs() {
        final QuotaScenario scene =
                QuotaScenario.cluster(16).group("science", "anna", "bob").quotaOf("group:science", 8);
        scene.quota("anna", 8).quota("bob", 8).quota("cleo", 8);
        scene.runs("a1", "anna", 8, 60).runs("b1", "bob", 8, 10).waits("c1", "cleo", 8);

        assertThat(scene.plan().reclaims())
                .singleElement()
                .satisfies(command -> assertThat(((Action.Reclaim) command.action()).victims())
                        .containsExactly(scene.key("b1")));
    }

    /** */
    @Test
    void a_group_within_a_group_is_limited_by_both() {
        final QuotaScenario scene = QuotaScenario.cluster(64)
                .group("science", "group:physics")
                .group("physics", "anna")
                .quotaOf("group:science", 4)
                .quotaOf("group:physics", 16)
                .waits("a1", "anna", 4)
                .waits("a2", "anna", 4);

        assertThat(right(scene, "a1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(right(scene, "a2")).isEqualTo(EntitlementLevel.BORROWED);
    }

    /** */
    @Test
    void a_quota_of_all_clusters_counts_use_on_other_clusters() {
        final QuotaScenario scene =
                QuotaScenario.cluster(32).quotaEverywhere("anna", 16).usesElsewhere("beta", "anna", 10);
        scene.waits("a1", "anna", 8).waits("a2", "anna", 6);

        assertThat(right(scene, "a1")).isEqualTo(EntitlementLevel.BORROWED);
        assertThat(right(scene, "a2")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(entitlement(scene, "a1").reason()).startsWith("beyond quota 16 of anna on all clusters");
    }

    /** */
    @Test
    void a_quota_of_all_clusters_covers_running_jobs_in_the_order_of_cluster_names() {
        final QuotaScenario later =
                QuotaScenario.cluster(32).quotaEverywhere("anna", 16).usesElsewhere("beta", "anna", 16);
        assertThat(right(later.runs("a1", "anna", 16, 60), "a1")).isEqualTo(EntitlementLevel.GUARANTEED);

        final QuotaScenario earlier =
                QuotaScenario.cluster(32).quotaEverywhere("anna", 16).usesElsewhere("aleph", "anna", 16);
        assertThat(right(earlier.runs("a1", "anna", 16, 60), "a1")).isEqualTo(EntitlementLevel.BORROWED);
    }

    /** */
    @Test
    void a_quota_of_one_cluster_and_one_of_all_both_apply() {
        final QuotaScenario scene = QuotaScenario.cluster(32).quota("anna", 8).quotaEverywhere("anna", 32);
        scene.waits("a1", "anna", 8).waits("a2", "anna", 8);

        assertThat(right(scene, "a1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(right(scene, "a2")).isEqualTo(EntitlementLevel.BORROWED);
    }

    /** */
    @Test
    void a_job_with_more_gpus_than_the_quota_is_borrowed_whatever_its_cores() {
        final QuotaScenario scene = QuotaScenario.cluster(32)
                .quotaOf("anna", 32, new QuotaTerms(2, null, null, List.of()))
                .job("a1", "anna", new Resources(1, 0, 0, 2), new JobState.Running(NOON.minusSeconds(600), List.of()))
                .job("a2", "anna", new Resources(1, 0, 0, 1), new JobState.Running(NOON.minusSeconds(60), List.of()))
                .job("a3", "anna", new Resources(1, 0, 0, 1), new JobState.Held(HoldKind.ENTRY))
                .waits("a4", "anna", 8);

        assertThat(right(scene, "a1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(right(scene, "a2")).isEqualTo(EntitlementLevel.BORROWED);
        assertThat(entitlement(scene, "a3").reason()).isEqualTo("beyond GPU quota 2 (1 GPUs)");
        assertThat(right(scene, "a4")).isEqualTo(EntitlementLevel.GUARANTEED);
    }

    /** */
    @Test
    void a_limit_on_borrowing_is_kept() {
        final QuotaScenario scene =
                QuotaScenario.cluster(64).quotaOf("anna", 8, new QuotaTerms(null, 8, null, List.of()));
        scene.runs("a1", "anna", 8, 60)
                .runs("a2", "anna", 4, 30)
                .waits("a3", "anna", 4)
                .waits("a4", "anna", 4);

        assertThat(right(scene, "a3")).isEqualTo(EntitlementLevel.BORROWED);
        assertThat(right(scene, "a4")).isEqualTo(EntitlementLevel.HELD);
        assertThat(entitlement(scene, "a4").reason())
                .isEqualTo("borrowing limit of quota 8: at most 8 cores beyond it (4 cores; 8 already borrowed)");
    }

    /** */
    @Test
    void cores_that_are_not_lent_stay_idle_for_the_holder() {
        final QuotaScenario scene = QuotaScenario.cluster(32)
                .quotaOf("bob", 16, new QuotaTerms(null, null, 4, List.of()))
                .runs("b1", "bob", 2, 60);
        scene.waits("a1", "anna", 20).waits("a2", "anna", 4).waits("b2", "bob", 16);

        assertThat(right(scene, "a1")).as("30 idle, 10 of them kept").isEqualTo(EntitlementLevel.BORROWED);
        assertThat(right(scene, "a2")).isEqualTo(EntitlementLevel.HELD);
        assertThat(right(scene, "b2")).as("what bob keeps is not kept from bob").isEqualTo(EntitlementLevel.BORROWED);
    }

    /** */
    @Test
    void a_period_changes_the_quota_and_the_plan_names_its_end() {
        final QuotaPeriod today = new QuotaPeriod(NOON.minusSeconds(60), NOON.plus(Duration.ofHours(1)), 16, null);
        final QuotaScenario scene =
                QuotaScenario.cluster(32).quotaOf("anna", 4, new QuotaTerms(null, null, null, List.of(today)));
        scene.waits("a1", "anna", 16);

        assertThat(right(scene, "a1")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(scene.plan().wakeAt()).contains(today.until());
        final QuotaPlan after = scene.plan(today.until());
        assertThat(after.entitlements().get(scene.key("a1")).level()).isEqualTo(EntitlementLevel.BORROWED);
        assertThat(after.wakeAt()).isEmpty();
    }

    /** */
    @Test
    void overlapping_periods_are_refused() {
        final QuotaPeriod one = new QuotaPeriod(NOON, NOON.plusSeconds(60), 1, null);
        final QuotaPeriod other = new QuotaPeriod(NOON.plusSeconds(59), NOON.plusSeconds(90), 2, null);
        final QuotaPeriod next = new QuotaPeriod(NOON.plusSeconds(60), NOON.plusSeconds(90), 2, null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuotaTerms(null, null, null, List.of(other, one)))
                .withMessageContaining("two periods overlap: until 2026-03-02T12:01:00Z and from 2026-03-02T12:00:59Z");
        assertThat(new QuotaTerms(null, null, null, List.of(next, one)).periods())
                .containsExactly(one, next);
    }

    /** */
    @Test
    void groups_that_are_not_a_tree_are_refused_with_the_reason() {
        assertThat(GroupTree.flaw(List.of(group("a", "anna", "group:b"), group("b", "group:a"))))
                .contains("group:a is within itself: group:a in group:b in group:a: remove one of them from the other");
        assertThat(GroupTree.flaw(List.of(group("a", "group:a")))).isPresent();
        assertThat(GroupTree.flaw(List.of(group("a", "anna"), group("b", "anna"))))
                .contains("anna is in group:a and in group:b: remove it from one of them");
        assertThat(GroupTree.flaw(List.of(group("a", "anna", "group:b"), group("b", "bob"))))
                .isEmpty();
    }

    private static QuotaGroup group(final String name, final String... members) {
        return new QuotaGroup(
                QuotaHolder.of("group:" + name),
                java.util.Arrays.stream(members)
                        .map(QuotaHolder::of)
                        .collect(java.util.stream.Collectors.toCollection(java.util.LinkedHashSet::new)),
                UserName.of("op"),
                "test",
                NOON,
                1);
    }

    private static EntitlementLevel right(final QuotaScenario scene, final String job) {
        return entitlement(scene, job).level();
    }

    private static Entitlement entitlement(final QuotaScenario scene, final String job) {
        return scene.plan().entitlements().get(scene.key(job));
    }
}
