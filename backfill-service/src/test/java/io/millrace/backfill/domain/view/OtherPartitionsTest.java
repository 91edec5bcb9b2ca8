package io.millrace.backfill.domain.view;

import static io.millrace.backfill.domain.view.TestCluster.job;
import static io.millrace.backfill.domain.view.TestCluster.scene;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.plan.PlanCommands;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Q-71, Q-72: a job to which its priority opens other partitions, on a cluster of 16 cores, 8 in {@code main} and 8 in {@code fast}. */
class OtherPartitionsTest {

    private static TestCluster twoPartitions() {
        return scene(16)
                .partition("main", 8, true, null)
                .partition("fast", 8, true, Duration.ofHours(4))
                .capabilities(Capability.START, Capability.MOVE);
    }

    /** Id and partition of each start. */
    private static List<String> starts(final TestCluster scene) {
        return scene.plan().starts().stream()
                .map(start ->
                        start.job().job().id().local() + " in " + start.job().partition())
                .toList();
    }

    @Test
    void its_own_partition_comes_first() {
        assertThat(starts(twoPartitions().has(job("A").cores(4).mayOverflowTo("fast"))))
                .containsExactly("A in main");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, BackfillPolicy.ALL})
    void it_starts_in_another_partition_if_its_own_is_full_at_every_depth(final int depth) {
        final TestCluster scene = twoPartitions()
                .policy(new BackfillPolicy(JobOrder.FCFS, depth))
                .has(
                        job("R").cores(8).hours(2).runningFor(10),
                        job("A").cores(4).mayOverflowTo("fast"));

        assertThat(starts(scene)).containsExactly("A in fast");
        assertThat(scene.plan().starts().getFirst().reason())
                .isEqualTo("in partition 'fast', which it may also use: first in order: 4 of 8 idle cores");
    }

    @Test
    void a_task_of_an_array_starts_there_only_if_the_workload_manager_can_move_single_tasks() {
        final TestCluster scene = twoPartitions()
                .has(
                        job("R").cores(8).hours(2).runningFor(10),
                        job("A").cores(4).array("1-3", 3).mayOverflowTo("fast"));
        assertThat(starts(scene)).isEmpty();
        assertThat(scene.outlook().get("A").vetoes())
                .noneMatch(veto -> veto.code().equals("other-partitions-full"));

        scene.capabilities(Capability.START, Capability.MOVE, Capability.MOVE_TASKS);
        assertThat(starts(scene)).containsExactly("A in fast");
    }

    @Test
    void without_other_partitions_it_waits_and_with_them_a_veto_names_them() {
        final TestCluster scene = twoPartitions()
                .has(
                        job("R").cores(8).hours(2).runningFor(10),
                        job("F").cores(6).hours(2).in("fast").runningFor(10),
                        job("A").cores(2),
                        job("B").cores(4).mayOverflowTo("fast"));

        assertThat(starts(scene)).isEmpty();
        assertThat(scene.outlook().get("A").vetoes())
                .noneMatch(veto -> veto.code().equals("other-partitions-full"));
        assertThat(scene.outlook().get("B").vetoes())
                .anyMatch(veto -> veto.code().equals("other-partitions-full")
                        && veto.reason().startsWith("may also start in partition 'fast'"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, BackfillPolicy.ALL})
    void reservations_in_the_other_partition_are_not_delayed(final int depth) {
        final TestCluster scene = twoPartitions()
                .policy(new BackfillPolicy(JobOrder.FCFS, depth))
                .has(
                        job("R").cores(8).hours(3).runningFor(10),
                        job("F").cores(4).hours(1).in("fast").runningFor(10),
                        job("H").cores(8).hours(1).in("fast"),
                        job("L").cores(4).hours(2).mayOverflowTo("fast"),
                        job("S").cores(4).minutes(30).mayOverflowTo("fast"));

        assertThat(starts(scene))
                .as("L would still run when H is to start, S would not")
                .containsExactly("S in fast");
    }

    @Test
    void a_job_that_exceeds_the_limits_of_the_other_partition_stays_in_its_own() {
        final TestCluster scene = twoPartitions()
                .partition("closed", 8, false, null)
                .has(
                        job("R").cores(8).hours(3).runningFor(10),
                        job("A").cores(4).hours(5).mayOverflowTo("fast"),
                        job("B").cores(4).unlimited().mayOverflowTo("fast"),
                        job("C").cores(4).mayOverflowTo("closed"),
                        job("D").cores(4).mayOverflowTo("nowhere"));

        assertThat(starts(scene)).isEmpty();
    }

    @Test
    void a_job_that_its_own_partition_can_never_start_waits_for_the_first_that_can() {
        final TestCluster scene = twoPartitions()
                .partition("span", 16, true, null)
                .has(
                        job("R").cores(8).hours(2).in("fast").runningFor(10),
                        job("W").cores(12).mayOverflowTo("fast", "span"),
                        job("L").cores(5).hours(3),
                        job("S").cores(4).hours(3));

        assertThat(starts(scene)).as("beside W there is room for S, not for L").containsExactly("S in main");
        assertThat(scene.plan().reservation().head().partition()).isEqualTo(PartitionName.of("span"));
        assertThat(scene.barred()).isEmpty();
    }

    @Test
    void no_job_is_moved_if_the_cluster_does_not_support_it() {
        final TestCluster scene = twoPartitions()
                .capabilities(Capability.START)
                .has(
                        job("R").cores(8).hours(2).runningFor(10),
                        job("A").cores(4).mayOverflowTo("fast"));

        assertThat(starts(scene)).isEmpty();
    }

    @Test
    void a_start_names_the_partition_only_if_it_differs() {
        final TestCluster scene = twoPartitions()
                .has(
                        job("R").cores(4).hours(2).runningFor(10),
                        job("A").cores(4),
                        job("B").cores(4).mayOverflowTo("fast"));
        final List<Action> actions = scene.plan().starts().stream()
                .map(start -> new PlanCommands(
                                scene.marker(7, 0), scene.queue().followed().commands(), TestCluster.NOON)
                        .start(List.of(start)))
                .map(Command::action)
                .toList();

        assertThat(actions)
                .containsExactly(
                        new Action.Start(scene.key("A")), new Action.Start(scene.key("B"), PartitionName.of("fast")));
    }

    @Test
    void after_a_failed_start_it_stays_in_its_own_partition() {
        final TestCluster scene = twoPartitions()
                .has(
                        job("R").cores(8).hours(2).runningFor(10),
                        job("A").cores(4).mayOverflowTo("fast"));
        final Command tried = new PlanCommands(
                        scene.marker(6, 0), scene.queue().followed().commands(), TestCluster.NOON)
                .start(List.of(scene.plan().starts().getFirst()));
        scene.issued(tried, 1);
        scene.answered(tried.outcome(
                new Result.Failed("User's group not permitted to use this partition"),
                TestCluster.NOON.minusSeconds(600)));

        assertThat(starts(scene)).isEmpty();
    }
}
