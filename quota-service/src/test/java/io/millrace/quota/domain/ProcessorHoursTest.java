package io.millrace.quota.domain;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.UserName;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs of these scenes ask for one hour each. */
class ProcessorHoursTest {

    private static final UserName ANNA = UserName.of("anna");

    private final Scene scene = Scene.cluster(64).quota("anna", 64);

    private ProcessorHoursTest limit(final int hours) {
        return rules(new ProcessorHourLimits(Optional.of(hours * 3600L), Map.of(), Map.of(), Map.of()), false);
    }

    private ProcessorHoursTest rules(final ProcessorHourLimits limits, final boolean overtaking) {
        scene.policy = scene.policy.with(new HourRules(limits, false, overtaking));
        return this;
    }

    private Entitlement of(final String job) {
        return scene.plan().entitlements().get(scene.key(job));
    }

    @Test
    void a_job_that_does_not_fit_into_the_limit_is_held_with_the_figures() {
        limit(10).scene.runs("r", "anna", 8, 5).waits("a", "anna", 2).waits("b", "anna", 1);

        assertThat(of("a").right()).as("8 + 2 hours").isEqualTo(Right.GUARANTEED);
        assertThat(of("b").right()).isEqualTo(Right.HELD);
        assertThat(of("b").reason())
                .isEqualTo("processor-hour limit 10 of the default (1 asked for; 10 run or come first)");
    }

    @Test
    void what_runs_on_other_clusters_counts_too() {
        limit(10).scene.waits("a", "anna", 4);
        scene.elsewhere.put(ANNA, 7L * 3600);

        assertThat(of("a").right()).isEqualTo(Right.HELD);
        scene.elsewhere.put(ANNA, 6L * 3600);
        assertThat(of("a").right()).isEqualTo(Right.GUARANTEED);
    }

    @Test
    void a_small_job_passes_a_large_one_only_if_the_site_wants_that() {
        limit(10).scene.runs("r", "anna", 8, 5).waits("large", "anna", 4).waits("small", "anna", 1);

        assertThat(of("small").right()).isEqualTo(Right.HELD);
        assertThat(of("small").reason()).contains("large is older");
        rules(scene.policy.hours().limits(), true);
        assertThat(of("large").right()).isEqualTo(Right.HELD);
        assertThat(of("small").right()).isEqualTo(Right.GUARANTEED);
    }

    @Test
    void a_job_that_asks_for_more_than_the_whole_limit_never_fits_and_is_told_so() {
        limit(10).scene.waits("huge", "anna", 11);

        assertThat(of("huge").reason()).contains("never fits").contains("11 by itself");
    }

    @Test
    void a_held_job_reclaims_nothing() {
        final Scene full = Scene.cluster(8).quota("anna", 8).quota("bob", 0);
        full.policy = full.policy.with(
                new HourRules(new ProcessorHourLimits(Optional.of(3600L), Map.of(), Map.of(), Map.of()), false, false));
        full.runs("b", "bob", 8, 5).waits("a", "anna", 4);

        assertThat(full.plan().reclaims()).isEmpty();
    }

    @Test
    void the_users_own_limit_counts_before_the_highest_of_the_groups_and_that_before_the_default() {
        final ProcessorHourLimits limits = new ProcessorHourLimits(
                Optional.of(1L),
                Map.of(UserName.of("root"), 5L),
                Map.of("students", 12L, "workers", 1000L),
                Map.of(
                        ANNA,
                        Set.of("students", "workers"),
                        UserName.of("root"),
                        Set.of("workers"),
                        UserName.of("cleo"),
                        Set.of("nowhere")));

        assertThat(limits.of(UserName.of("root")).orElseThrow().core_s()).isEqualTo(5);
        assertThat(limits.of(ANNA).orElseThrow()).isEqualTo(new ProcessorHourLimits.Limit(1000, "group 'workers'"));
        assertThat(limits.of(UserName.of("cleo")).orElseThrow().core_s()).isEqualTo(1);
        assertThat(ProcessorHourLimits.NONE.of(ANNA)).isEmpty();
    }
}
