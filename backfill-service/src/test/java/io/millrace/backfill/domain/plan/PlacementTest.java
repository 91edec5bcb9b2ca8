package io.millrace.backfill.domain.plan;

import static io.millrace.backfill.domain.view.TestCluster.NOON;
import static io.millrace.backfill.domain.view.TestCluster.job;
import static io.millrace.backfill.domain.view.TestCluster.scene;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.SiteSettings;
import io.millrace.backfill.domain.view.TestCluster;
import io.millrace.decide.CommandView;
import io.millrace.model.JobKey;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.Capability;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes, partitions, unanswered starts, and the vetoes of waiting jobs. */
class PlacementTest {

    @Test
    void six_cores_on_one_node_do_not_fit_into_two_nodes_with_four_free_each() {
        final TestCluster scene = scene(16)
                .node("n1", 8, 4)
                .node("n2", 8, 4)
                .has(
                        job("R").cores(4).hours(2).runningFor(60, "n1"),
                        job("S").cores(4).hours(3).runningFor(60, "n2"),
                        job("A").cores(6).onNodes(1).hours(1));

        assertThat(scene.starts()).isEmpty();
        assertThat(scene.plan().reservation().shadow().instant()).isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(scene.outlook().get("A").vetoes())
                .extracting(veto -> veto.code())
                .containsExactly("no-suitable-nodes");
    }

    @Test
    void a_job_that_lacks_only_licences_names_them() {
        final TestCluster scene = scene(16)
                .has(
                        job("R").cores(4).licences("ansys", 18).runningFor(10),
                        job("A").cores(4).licences("ansys", 3),
                        job("B").cores(12).licences("ansys", 20));
        scene.site = new SiteSettings(Map.of("ansys", 20), List.of());

        assertThat(scene.starts()).isEmpty();
        assertThat(scene.outlook().get("B").vetoes())
                .containsExactly(VetoCode.LICENCES_IN_USE.veto("needs 20 of licence 'ansys', 2 free"));
        assertThat(scene.outlook().get("A").vetoes())
                .containsExactly(VetoCode.LICENCES_IN_USE.veto("needs 3 of licence 'ansys', 2 free"));
    }

    @Test
    void a_job_without_node_constraints_fits_on_any_cores() {
        assertThat(scene(16)
                        .node("n1", 8, 4)
                        .node("n2", 8, 4)
                        .has(job("R").cores(8).runningFor(1, "n1", "n2"), job("A").cores(6))
                        .starts())
                .containsExactly("A");
    }

    @Test
    void a_node_count_that_no_node_can_satisfy_is_ignored_as_an_estimate_of_the_workload_manager() {
        assertThat(scene(8).node("n1", 4, 4)
                        .node("n2", 4, 4)
                        .has(job("A").cores(6).onNodes(1))
                        .starts())
                .containsExactly("A");
    }

    @Test
    void two_jobs_of_one_pass_do_not_get_the_same_node() {
        assertThat(scene(8).node("n1", 4, 4)
                        .node("n2", 4, 4)
                        .has(
                                job("A").cores(3).onNodes(1),
                                job("B").cores(3).onNodes(1),
                                job("C").cores(2).onNodes(1),
                                job("D").cores(1).onNodes(1))
                        .starts())
                .containsExactly("A", "B", "D");
    }

    @Test
    void a_partition_with_fewer_cores_is_full_before_the_cluster_is() {
        final TestCluster scene = scene(16)
                .partition("small", 4, true, null)
                .has(
                        job("R").cores(3).in("small").hours(2).runningFor(60),
                        job("A").cores(2).in("small"),
                        job("B").cores(1).in("small").hours(9),
                        job("C").cores(9).hours(9));

        assertThat(scene.starts()).as("B fits beside A, C is elsewhere").containsExactly("B", "C");
        assertThat(scene.outlook().get("A").start().instant()).isEqualTo(NOON.plus(Duration.ofHours(1)));
    }

    @Test
    void the_walltime_limit_of_a_partition_applies_to_its_jobs() {
        final TestCluster scene = scene(4).partition("main", 4, true, Duration.ofHours(2))
                .has(
                        job("R").cores(4).unlimited().runningFor(60),
                        job("A").cores(4).hours(2),
                        job("B").cores(1).hours(3));

        assertThat(scene.plan().reservation().shadow().instant()).isEqualTo(NOON.plus(Duration.ofHours(1)));
        assertThat(scene.barred()).containsEntry("B", "exceeds-walltime-limit");
    }

    @Test
    void a_closed_partition_starts_nothing() {
        final TestCluster scene = scene(4).partition("main", 4, false, null).has(job("A").cores(1));

        assertThat(scene.starts()).isEmpty();
        assertThat(scene.barred()).containsEntry("A", "partition-closed");
    }

    @Test
    void cores_of_an_unanswered_start_are_not_used_again() {
        final TestCluster scene = scene(4).has(
                        job("A").cores(3), job("B").cores(2), job("C").cores(1).minutes(5));
        scene.issued(start(scene.key("A"), NOON.minusSeconds(1)), CommandView.NOT_YET_KNOWN);

        assertThat(scene.starts()).containsExactly("C");
        assertThat(scene.plan().reservation().shadow().instant())
                .isEqualTo(NOON.minusSeconds(1).plus(Duration.ofHours(1)));
    }

    @Test
    void a_failed_start_is_in_back_off_and_does_not_delay_other_jobs() {
        final TestCluster scene = scene(4).has(job("A").cores(4), job("B").cores(4));
        final Command command = start(scene.key("A"), NOON.minusSeconds(9));
        scene.issued(command, 3);
        scene.answered(command.outcome(new Result.Failed("node n1 not responding"), NOON.minusSeconds(5)));

        assertThat(scene.starts()).containsExactly("B");
        assertThat(scene.barred()).containsEntry("A", "start-backoff");
        assertThat(scene.queue().replanAt()).contains(NOON.plusSeconds(10));
        assertThat(scene.queue(NOON.plusSeconds(10)).ineligible()).isEmpty();
    }

    @Test
    void no_job_starts_on_a_stale_cluster_with_a_silent_agent_or_without_the_capability() {
        final TestCluster scene = scene(4).has(job("A").cores(4));

        assertThat(scene.queue().blockingVeto(NOON)).isEmpty();
        assertThat(scene.queue(NOON.plusSeconds(121))
                        .blockingVeto(NOON.plusSeconds(121))
                        .orElseThrow()
                        .code())
                .isEqualTo("agent-silent");
        assertThat(scene.stale("no answer")
                        .queue()
                        .blockingVeto(NOON)
                        .orElseThrow()
                        .code())
                .isEqualTo("cluster-stale");
        assertThat(scene(4).capabilities(Capability.HOLD)
                        .queue()
                        .blockingVeto(NOON)
                        .orElseThrow()
                        .code())
                .isEqualTo("start-unsupported");
    }

    @Test
    void every_waiting_job_gets_its_place_and_predicted_start() {
        final TestCluster scene = scene(4).has(
                        job("R").cores(4).hours(2).runningFor(60),
                        job("A").cores(4).hours(1),
                        job("B").cores(2).hours(1),
                        job("C").cores(2).hours(3),
                        job("D").cores(1).unlimited(),
                        job("E").cores(4).hours(1));

        assertThat(List.of("A", "B", "C", "D").stream()
                        .map(name -> scene.outlook().get(name).start().instant()))
                .containsExactly(at(1), at(2), at(2), at(3));
        assertThat(scene.outlook().get("C").place()).isEqualTo(3);
        assertThat(scene.outlook().get("E").start())
                .as("behind a job without a limit")
                .isNull();
        assertThat(scene.outlook().get("A").reason()).isEqualTo("first in order: starts when 4 cores are free");
    }

    private static Instant at(final int hours) {
        return NOON.plus(Duration.ofHours(hours));
    }

    private static Command start(final JobKey job, final Instant at) {
        final Action action = new Action.Start(job);
        return new Command(
                Command.idOf(Issuer.BACKFILL, action, 0),
                TestCluster.ALPHA,
                Issuer.BACKFILL,
                6,
                at,
                at.plusSeconds(60),
                List.of(),
                action,
                "for the test");
    }
}
