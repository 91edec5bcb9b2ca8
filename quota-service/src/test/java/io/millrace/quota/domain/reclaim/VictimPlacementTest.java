package io.millrace.quota.domain.reclaim;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.command.Action;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.quota.domain.QuotaScenario;
import io.millrace.quota.domain.priority.PriorityView;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** victims are on nodes that the beneficiary may use. Anna borrows n1 in {@code main} and, since later, n2 in {@code fast}. */
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
    void a_job_in_another_partition_is_not_preempted_even_if_it_is_first_in_order() {
        final QuotaScenario scene = twoPartitions().waits("b1", "bob", 8);

        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    @Test
    void surplus_is_not_spent_on_jobs_on_other_nodes() {
        final QuotaScenario scene = twoPartitions().quota("anna", 8).waits("b1", "bob", 8);

        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    @Test
    void surplus_is_not_spent_on_other_nodes_by_the_exhaustive_search() {
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
    void idle_cores_of_a_reachable_partition_make_preemption_unnecessary() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("bob", 8)
                .nodeOf("main", "n1", 8, 0)
                .nodeOf("fast", "n2", 8, 8)
                .runs("a1", "anna", 8, 40, "n1")
                .waits("b1", "bob", 8);
        scene.priority = PriorityView.of(
                PriorityRules.NONE.withOverflow(
                        List.of(new PartitionOverflow(null, null, 0, List.of(PartitionName.of("fast"))))),
                job -> List.of(),
                List.of());

        assertThat(victims(scene))
                .as("nobody can start it in another partition here")
                .containsExactly(scene.key("a1"));
        assertThat(victims(scene.offering(Capability.MOVE))).isEmpty();
    }

    @Test
    void no_job_is_preempted_if_only_other_partitions_have_borrowed_jobs() {
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
    void victims_are_chosen_on_nodes_with_the_requested_feature() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .quota("bob", 8)
                .nodeOf("main", "n1", 8, 0, "ib")
                .nodeOf("main", "n2", 8, 0)
                .runs("a1", "anna", 8, 40, "n1")
                .runs("a2", "anna", 8, 10, "n2")
                .waits("b1", "bob", 8)
                .requestingFeatures("ib");

        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    /** */
    @Test
    void nothing_is_preempted_for_a_job_that_would_run_into_maintenance() {
        final QuotaScenario scene = QuotaScenario.cluster(8)
                .quota("bob", 8)
                .node("n1", 8, 0)
                .runs("a1", "anna", 8, 40, "n1")
                .waits("b1", "bob", 8);
        assertThat(victims(scene)).isNotEmpty();

        scene.maintenance(new Maintenance(
                "pm", QuotaScenario.NOON.plusSeconds(600), QuotaScenario.NOON.plusSeconds(7200), List.of()));
        assertThat(victims(scene)).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("b1")).code()).isEqualTo(VetoCode.MAINTENANCE.code());
    }

    /** */
    @Test
    void a_job_that_its_partition_would_not_start_gets_neither_victims_nor_idle_cores() {
        final QuotaScenario scene = QuotaScenario.cluster(16)
                .partition(new PartitionObserved(
                        QuotaScenario.ALPHA,
                        PartitionName.of("main"),
                        true,
                        true,
                        16,
                        Duration.ofMinutes(1),
                        PartitionLimits.NONE,
                        Access.EVERYBODY))
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
                QuotaScenario.ALPHA,
                PartitionName.of("main"),
                false,
                true,
                16,
                Duration.ofDays(9),
                PartitionLimits.NONE,
                Access.EVERYBODY));
        assertThat(victims(scene)).isEmpty();
        assertThat(scene.plan().vetoes().get(scene.key("b1")).code()).isEqualTo(VetoCode.PARTITION_CLOSED.code());

        scene.partition(new PartitionObserved(
                QuotaScenario.ALPHA,
                PartitionName.of("main"),
                true,
                true,
                16,
                Duration.ofDays(9),
                PartitionLimits.NONE,
                Access.EVERYBODY));
        assertThat(victims(scene)).containsExactly(scene.key("a1"));
    }

    @Test
    void two_jobs_for_different_partitions_both_get_victims() {
        final QuotaScenario scene = twoPartitions()
                .quota("carl", 8)
                .waits("b1", "bob", 8)
                .in("fast")
                .waits("c1", "carl", 8);

        assertThat(victims(scene)).containsExactlyInAnyOrder(scene.key("a1"), scene.key("a2"));
    }
}
