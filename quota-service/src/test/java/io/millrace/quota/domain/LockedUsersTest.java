package io.millrace.quota.domain;

import static io.millrace.quota.domain.QuotaScenario.NOON;
import static io.millrace.quota.domain.QuotaScenario.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Resources;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.JobState;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.EntitlementLevel;
import io.millrace.quota.domain.plan.QuotaPlanner;
import io.millrace.testing.Attack;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** S-6: no job of a locked user starts, also if the user submitted it to the workload manager directly. */
class LockedUsersTest {

    @Test
    @Attack("a locked user submits to the workload manager directly")
    void a_waiting_job_of_a_locked_user_is_held_whatever_its_quota() {
        final QuotaScenario scene = cluster(16)
                .quota("mallory", 16)
                .quota("anna", 8)
                .runs("r", "mallory", 4, 10)
                .waits("m", "mallory", 4)
                .waits("a", "anna", 4)
                .locked("mallory");

        final Entitlement held = scene.plan().entitlements().get(scene.key("m"));

        assertThat(held.level()).isEqualTo(EntitlementLevel.HELD);
        assertThat(held.veto())
                .isEqualTo(VetoCode.USER_LOCKED.veto("user 'mallory' is locked (stolen laptop); ask the operators"));
        assertThat(level(scene, "a")).isEqualTo(EntitlementLevel.GUARANTEED);
        assertThat(level(scene, "r")).as("runs").isEqualTo(EntitlementLevel.GUARANTEED);
    }

    @Test
    @Attack("a locked user has others preempted")
    void nothing_is_preempted_for_a_locked_user() {
        final QuotaScenario scene =
                cluster(8).quota("mallory", 8).runs("b", "bob", 8, 10).waits("m", "mallory", 4);
        assertThat(scene.plan().reclaims()).hasSize(1);
        assertThat(scene.locked("mallory").plan().reclaims()).isEmpty();
    }

    @Test
    void a_suspended_job_of_a_locked_user_does_not_continue() {
        final QuotaScenario scene = cluster(8)
                .offering(Capability.SUSPEND)
                .job("s", "mallory", Resources.cores(4), new JobState.Suspended(NOON, List.of()));
        assertThat(resumed(scene)).containsExactly(new Action.Resume(scene.key("s")));
        assertThat(resumed(scene.locked("mallory"))).isEmpty();
    }

    private static List<Action> resumed(final QuotaScenario scene) {
        return QuotaPlanner.plan(scene.quotaView().withSuspendedVictims(Set.of(scene.key("s"))), scene.policy, NOON)
                .resumptions()
                .stream()
                .map(Command::action)
                .toList();
    }

    private static EntitlementLevel level(final QuotaScenario scene, final String job) {
        return scene.plan().entitlements().get(scene.key(job)).level();
    }
}
