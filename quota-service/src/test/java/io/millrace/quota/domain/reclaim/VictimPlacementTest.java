package io.millrace.quota.domain.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.command.Action;
import io.millrace.model.policy.PartitionReach;
import io.millrace.model.policy.PriorityRules;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.priority.PriorityView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** room is made where the beneficiary may run. Anna borrows all of n1 in {@code main} and of n2 in {@code fast}, on n2 since later. */
class VictimPlacementTest {

    private static QuotaScenario twoPartitions() {
        return QuotaScenario.cluster(16)
                .quota("bob", 8)
                .nodeOf("main", "n1", 8, 0)
                .nodeOf("fast", "n2", 8, 0)
                .runs("a1", "anna", 8, 40, "n1")
                .runs("a2", "anna", 8, 10, "n2")
                .in("fast");
    }

    private static List<JobKey> victims(final QuotaScenario scene) {
        return scene.plan().reclaims().stream()
                .flatMap(command -> ((Action.Reclaim) command.action()).victims().stream())
                .toList();
    }

    @Test
    void who_runs_in_another_partition_is_not_taken_though_its_turn_would_be_first() {
        final QuotaScenario scene = twoPartitions().waits("b1", "bob", 8);

        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    @Test
    void what_an_owner_can_spare_is_not_spent_on_jobs_that_are_of_no_use() {
        final QuotaScenario scene = twoPartitions().quota("anna", 8).waits("b1", "bob", 8);

        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    @Test
    void nor_where_only_a_search_of_all_sums_finds_them() {
        final QuotaScenario scene = QuotaScenario.cluster(24)
                .quota("bob", 8)
                .quota("anna", 11)
                .nodeOf("main", "n1", 8, 0)
                .nodeOf("fast", "n2", 16, 0)
                .runs("a1", "anna", 5, 60, "n1")
                .runs("a2", "anna", 3, 50, "n1")
                .runs("a3", "anna", 8, 10, "n2")
                .in("fast")
                .runs("a4", "anna", 3, 5, "n2")
                .in("fast")
                .waits("b1", "bob", 8);

        assertThat(victims(scene)).containsExactlyInAnyOrder(scene.key("a1"), scene.key("a2"));
    }

    @Test
    void idle_cores_of_another_partition_do_not_help() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("bob", 8)
                .nodeOf("main", "n1", 8, 0)
                .nodeOf("fast", "n2", 8, 8)
                .runs("a1", "anna", 8, 40, "n1")
                .waits("b1", "bob", 8);

        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    @Test
    void they_help_who_may_start_there_too_and_then_nobody_gives_way() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("bob", 8)
                .nodeOf("main", "n1", 8, 0)
                .nodeOf("fast", "n2", 8, 8)
                .runs("a1", "anna", 8, 40, "n1")
                .waits("b1", "bob", 8);
        scene.priority = PriorityView.of(
                PriorityRules.NONE.reaching(
                        List.of(new PartitionReach(null, null, 0, List.of(PartitionName.of("fast"))))),
                job -> List.of(),
                List.of());

        assertThat(victims(scene))
                .as("nobody can start it in another partition here")
                .containsExactly(scene.key("a1"));
        assertThat(victims(scene.offering(Capability.MOVE))).isEmpty();
    }

    @Test
    void nobody_is_preempted_where_only_other_partitions_have_borrowed_work() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("bob", 8)
                .quota("carl", 8)
                .nodeOf("main", "n1", 8, 0)
                .nodeOf("fast", "n2", 8, 0)
                .runs("c1", "carl", 8, 40, "n1")
                .runs("a2", "anna", 8, 10, "n2")
                .in("fast")
                .waits("b1", "bob", 8);

        assertThat(victims(scene)).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("b1")).code()).isEqualTo(VetoCode.NO_SUITABLE_NODES.code());
        assertThat(scene.plan().vetoes().get(scene.key("b1")).reason())
                .contains("frees 8 cores in its partition with the requested features and nodes");
    }

    @Test
    void a_feature_that_a_job_asks_for_is_found_on_the_nodes_that_have_it() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("bob", 8)
                .nodeOf("main", "n1", 8, 0, "ib")
                .nodeOf("main", "n2", 8, 0)
                .runs("a1", "anna", 8, 40, "n1")
                .runs("a2", "anna", 8, 10, "n2")
                .waits("b1", "bob", 8)
                .asking("ib");

        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    /** */
    @Test
    void nobody_gives_way_to_a_job_that_its_partition_would_not_start_and_no_idle_cores_are_kept_for_it() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .partition(new PartitionObserved(
                        QuotaScenario.ALPHA, PartitionName.of("main"), true, true, 16, Duration.ofMinutes(1)))
                .quota("bob", 16)
                .node("n1", 16, 8)
                .runs("a1", "anna", 8, 40, "n1")
                .waits("b1", "bob", 16);
        assertThat(victims(scene)).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("b1")).code()).isEqualTo(VetoCode.EXCEEDS_WALLTIME_LIMIT.code());

        scene.waits("c1", "bob", 8).in("fast").partitions("fast");
        assertThat(victims(scene))
                .as("the eight idle cores are not kept for b1")
                .isEmpty();
        assertThat(scene.plan().vetoes()).doesNotContainKey(scene.key("c1"));

        scene.partition(new PartitionObserved(
                QuotaScenario.ALPHA, PartitionName.of("main"), false, true, 16, Duration.ofDays(9)));
        assertThat(victims(scene)).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("b1")).code()).isEqualTo(VetoCode.PARTITION_CLOSED.code());

        scene.partition(new PartitionObserved(
                QuotaScenario.ALPHA, PartitionName.of("main"), true, true, 16, Duration.ofDays(9)));
        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    @Test
    void two_who_wait_for_unlike_partitions_are_both_served() {
        final QuotaScenario scene = twoPartitions()
                .quota("carl", 8)
                .waits("b1", "bob", 8)
                .in("fast")
                .waits("c1", "carl", 8);

        assertThat(victims(scene)).containsExactlyInAnyOrder(scene.key("a1"), scene.key("a2"));
    }
}
