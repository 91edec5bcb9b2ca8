package io.millrace.quota.domain.account;

import static io.millrace.model.policy.EntitlementLevel.BORROWED;
import static io.millrace.model.policy.EntitlementLevel.GUARANTEED;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.model.quota.Usage;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.quota.ActiveQuotas;
import java.util.List;
import org.junit.jupiter.api.Test;

/** the entitlement levels of running and waiting jobs. */
class EntitlementsTest {

    /** */
    @Test
    void older_jobs_are_guaranteed_until_the_quota_is_full_and_the_rest_is_borrowed() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("anna", 4)
                .runs("a1", "anna", 2, 30)
                .runs("a2", "anna", 2, 20)
                .runs("a3", "anna", 2, 10);

        assertRight(scene, "a1", GUARANTEED);
        assertRight(scene, "a2", GUARANTEED);
        assertRight(scene, "a3", BORROWED);
        assertThat(scene.plan().usage().get(UserName.of("anna")).with(null))
                .isEqualTo(new Usage(QuotaScenario.ALPHA, UserName.of("anna"), 4, 2, 0, 4, 6 * 3600));
    }

    /** */
    @Test
    void guaranteed_jobs_cannot_be_preempted_without_going_below_quota() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("anna", 10)
                .runs("a1", "anna", 2, 30)
                .runs("a2", "anna", 10, 20);

        assertRight(scene, "a1", BORROWED);
        assertRight(scene, "a2", GUARANTEED);
    }

    /** */
    @Test
    void waiting_jobs_are_guaranteed_while_the_quota_has_capacity() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("anna", 8)
                .runs("a1", "anna", 4, 30)
                .waits("a2", "anna", 3)
                .waits("a3", "anna", 2)
                .waits("a4", "anna", 1);

        assertRight(scene, "a2", GUARANTEED);
        assertRight(scene, "a3", BORROWED);
        assertRight(scene, "a4", GUARANTEED);
        assertThat(entitlement(scene, "a3").reason())
                .isEqualTo("beyond quota 8 (2 cores; 7 in use or guaranteed before it)");
    }

    @Test
    void a_held_job_takes_no_quota_from_a_job_that_could_start() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("anna", 4)
                .job("a1", "anna", Resources.cores(4), new JobState.Held(HoldKind.USER))
                .waits("a2", "anna", 4);

        assertRight(scene, "a1", BORROWED);
        assertRight(scene, "a2", GUARANTEED);
    }

    /** */
    @Test
    void a_job_wider_than_the_quota_is_borrowed_and_does_not_count_towards_it() {
        final QuotaScenario scene = QuotaScenario.cluster(40)
                .quota("anna", 8)
                .runs("a1", "anna", 20, 30)
                .runs("a2", "anna", 8, 10)
                .waits("a3", "anna", 9);

        assertRight(scene, "a1", BORROWED);
        assertRight(scene, "a2", GUARANTEED);
        assertThat(entitlement(scene, "a3").reason()).startsWith("wider than quota 8");
    }

    /** */
    @Test
    void a_user_without_a_quota_has_the_default_quota() {
        final QuotaScenario scene = QuotaScenario.cluster(40).runs("z1", "zoe", 1, 30);

        assertRight(scene, "z1", BORROWED);
        assertThat(new ActiveQuotas(4).coresOf(UserName.of("zoe"), QuotaScenario.ALPHA))
                .isEqualTo(4);
    }

    /** */
    @Test
    void guaranteed_jobs_start_before_borrowed_jobs() {
        final QuotaScenario scene =
                QuotaScenario.cluster(16).quota("bob", 2).waits("z1", "zoe", 2).waits("b1", "bob", 2);

        assertThat(entitlement(scene, "b1").priority())
                .isGreaterThan(entitlement(scene, "z1").priority());
    }

    @Test
    void changed_figures_do_not_make_another_entitlement() {
        final Entitlement one = entitlement(
                QuotaScenario.cluster(9)
                        .quota("anna", 8)
                        .runs("a1", "anna", 2, 9)
                        .waits("a2", "anna", 1),
                "a2");
        final PlannedEntitlement two = QuotaScenario.cluster(9)
                .quota("anna", 8)
                .runs("a1", "anna", 3, 9)
                .waits("a2", "anna", 1)
                .planned("a2");
        final PlannedEntitlement three = QuotaScenario.cluster(9)
                .quota("anna", 7)
                .runs("a1", "anna", 3, 9)
                .waits("a2", "anna", 1)
                .planned("a2");

        assertThat(one).isNotEqualTo(two.event());
        assertThat(two.isPublishedAs(one)).isTrue();
        assertThat(three.isPublishedAs(two.event())).isFalse();
    }

    private static Entitlement entitlement(final QuotaScenario scene, final String job) {
        return scene.plan().entitlements().get(scene.key(job));
    }

    private static void assertRight(final QuotaScenario scene, final String job, final EntitlementLevel right) {
        assertThat(entitlement(scene, job).level()).as(job).isEqualTo(right);
    }

    @Test
    void an_array_of_which_tasks_start_is_entitled_to_no_other_task_and_uses_their_cores() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .offering(Capability.START_TASKS)
                .quota("anna", 6)
                .waits("a", "anna", 2)
                .array(5)
                .waits("b", "anna", 2);
        assertThat(scene.plan().entitlements().get(scene.key("a")).tasks()).isEqualTo("1-3");

        final Action start = Action.Start.tasks(scene.key("a"), "1-3");
        scene.commands.apply(
                new Command(
                        Command.idOf(Issuer.BACKFILL, start, 0),
                        QuotaScenario.ALPHA,
                        Issuer.BACKFILL,
                        7,
                        QuotaScenario.NOON,
                        QuotaScenario.NOON.plusSeconds(60),
                        List.of(),
                        start,
                        "for the test"),
                1);
        assertRight(scene, "a", GUARANTEED);
        assertThat(scene.plan().entitlements().get(scene.key("a")).tasks()).isEqualTo("1-3");
        assertThat(scene.plan().usage().get(UserName.of("anna")).guaranteedCores())
                .isEqualTo(6);
        assertRight(scene, "b", BORROWED);
    }
}
