package io.millrace.quota.domain.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.UserName;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each job requests one hour. */
class ProcessorHourCheckTest {

    private static final UserName ANNA = UserName.of("anna");

    private final QuotaScenario scene = QuotaScenario.cluster(64).quota("anna", 64);

    private ProcessorHourCheckTest limit(final int hours) {
        return rules(
                new ProcessorHourLimits(Optional.of(hours * 3600L), Map.of(), Map.of(), GroupMemberships.NONE), false);
    }

    private ProcessorHourCheckTest rules(final ProcessorHourLimits limits, final boolean overtaking) {
        scene.policy = scene.policy.with(new ProcessorHourRules(limits, false, false, overtaking));
        return this;
    }

    private Entitlement of(final String job) {
        return scene.plan().entitlements().get(scene.key(job));
    }

    /** */
    @Test
    void a_job_beyond_the_limit_is_held_with_the_figures() {
        limit(10).scene.runs("r", "anna", 8, 5).waits("a", "anna", 2).waits("b", "anna", 1);

        assertThat(of("a").level()).as("8 + 2 hours").isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(of("b").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of("b").reason())
                .isEqualTo("processor-hour limit 10 of the default (1 requested; 10 in use or released before)");
    }

    /** */
    @Test
    void running_jobs_on_other_clusters_count() {
        limit(10).scene.waits("a", "anna", 4);
        scene.elsewhere.put(ANNA, 7L * 3600);

        assertThat(of("a").level()).isEqualTo(EntitlementLevel.HELD);
        scene.elsewhere.put(ANNA, 6L * 3600);
        assertThat(of("a").level()).isEqualTo(EntitlementLevel.GUARANTEED);
    }

    /** */
    @Test
    void a_small_job_overtakes_a_large_one_only_if_configured() {
        limit(10).scene.runs("r", "anna", 8, 5).waits("large", "anna", 4).waits("small", "anna", 1);

        assertThat(of("small").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of("small").reason()).contains("large is older");
        rules(scene.policy.hours().limits(), true);
        assertThat(of("large").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of("small").level()).isEqualTo(EntitlementLevel.GUARANTEED);
    }

    /** */
    @Test
    void a_job_that_requests_more_than_the_whole_limit_never_fits() {
        limit(10).scene.waits("huge", "anna", 11);

        assertThat(of("huge").reason()).contains("never fits").contains("requests 11 and never fits");
    }

    @Test
    void no_job_is_preempted_for_a_held_job() {
        final QuotaScenario full = QuotaScenario.cluster(8).quota("anna", 8).quota("bob", 0);
        full.policy = full.policy.with(new ProcessorHourRules(
                new ProcessorHourLimits(Optional.of(3600L), Map.of(), Map.of(), GroupMemberships.NONE),
                false,
                false,
                false));
        full.runs("b", "bob", 8, 5).waits("a", "anna", 4);

        assertThat(full.plan().reclaims()).isEmpty();
    }

    /** */
    @Test
    void the_users_own_limit_applies_else_the_highest_of_the_groups_else_the_default() {
        final ProcessorHourLimits limits = new ProcessorHourLimits(
                Optional.of(1L),
                Map.of(UserName.of("root"), 5L),
                Map.of("students", 12L, "workers", 1000L),
                new GroupMemberships(Map.of(
                        QuotaHolder.of(ANNA),
                        Set.of("students", "workers"),
                        QuotaHolder.of("root"),
                        Set.of("workers"),
                        QuotaHolder.of("cleo"),
                        Set.of("nowhere"))));

        assertThat(limits.of(UserName.of("root")).orElseThrow().core_s()).isEqualTo(5);
        assertThat(limits.of(ANNA).orElseThrow()).isEqualTo(new ProcessorHourLimits.Limit(1000, "group 'workers'"));
        assertThat(limits.of(UserName.of("cleo")).orElseThrow().core_s()).isEqualTo(1);
        assertThat(ProcessorHourLimits.NONE.of(ANNA)).isEmpty();
    }

    /** */
    @Test
    void a_job_without_a_walltime_limit_fits_within_no_limit() {
        limit(10).scene.waits("endless", "anna", 1).walltime("endless", null);

        assertThat(of("endless").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of("endless").reason()).contains("fits within no limit; request a walltime");
    }

    @Test
    void a_running_job_counts_with_its_remaining_time_if_configured() {
        limit(10).scene.runs("r", "anna", 8, 30).waits("a", "anna", 6);

        assertThat(of("a").level()).as("8 + 6 hours").isEqualTo(EntitlementLevel.HELD);
        scene.policy =
                scene.policy.with(new ProcessorHourRules(scene.policy.hours().limits(), true, false, false));
        assertThat(of("a").level()).as("4 + 6 hours").isEqualTo(EntitlementLevel.GUARANTEED);
    }

    @Test
    void released_jobs_are_published_only_if_queued_jobs_count() {
        limit(10).scene.runs("r", "anna", 8, 5).waits("a", "anna", 2).waits("b", "anna", 1);

        assertThat(scene.plan().usage().get(ANNA).queued_core_s()).isZero();
        scene.policy =
                scene.policy.with(new ProcessorHourRules(scene.policy.hours().limits(), false, true, false));
        assertThat(scene.plan().usage().get(ANNA).queued_core_s())
                .as("b is held")
                .isEqualTo(2 * 3600);
        assertThat(scene.plan().usage().get(ANNA).requestedCoreSeconds()).isEqualTo(8 * 3600);
    }

    @Test
    void an_extreme_walltime_exceeds_any_limit_without_overflow() {
        limit(10).scene.runs("r", "anna", 8, 5).walltime("r", Duration.ofSeconds(Long.MAX_VALUE));
        scene.waits("a", "anna", 1).waits("b", "anna", 64).walltime("b", Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(of("a").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of("b").reason()).contains("never fits");
        assertThat(scene.plan().usage().get(ANNA).requestedCoreSeconds()).isEqualTo(4_000_000_000_000_000L);
    }

    /** */
    @Test
    void a_job_that_never_fits_does_not_block_others() {
        limit(10).scene.waits("huge", "anna", 11).waits("endless", "anna", 1).walltime("endless", null);
        scene.waits("small", "anna", 1);

        assertThat(of("huge").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of("endless").level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(of("small").level()).isEqualTo(EntitlementLevel.GUARANTEED);
    }

    /** */
    @Test
    void a_job_held_for_another_reason_uses_none_of_the_limit() {
        limit(10);
        scene.quotaOf("anna", 0, new QuotaTerms(null, 4, null, List.of()));
        scene.waits("wide", "anna", 8).waits("next", "anna", 4);

        assertThat(of("wide").reason()).startsWith("borrowing limit");
        assertThat(of("next").level()).isEqualTo(EntitlementLevel.BORROWED);
    }
}
