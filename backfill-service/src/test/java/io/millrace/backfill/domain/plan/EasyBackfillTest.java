package io.millrace.backfill.domain.plan;

import static io.millrace.backfill.domain.view.TestCluster.NOON;
import static io.millrace.backfill.domain.view.TestCluster.job;
import static io.millrace.backfill.domain.view.TestCluster.scene;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.Start;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.view.TestCluster;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.EntitlementLevel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EasyBackfillTest {

    /** Four of eight cores are busy until 14:00; the head job needs six. */
    private static TestCluster headJobWaits() {
        return scene(8).has(
                        job("R").cores(4).hours(3).runningFor(60),
                        job("H").cores(6).hours(1));
    }

    @Test
    void jobs_that_fit_start_in_order() {
        final TestCluster scene = scene(8).has(job("A").cores(4), job("B").cores(3), job("C").cores(2), job("D"));

        assertThat(scene.starts()).containsExactly("A", "B", "D");
        assertThat(scene.plan().starts()).extracting(Start::isBackfilled).containsExactly(false, false, true);
    }

    @Test
    void the_head_job_gets_the_shadow_time_given_by_the_limits_of_running_jobs() {
        final Reservation reservation = headJobWaits().plan().reservation();

        assertThat(reservation.head().job().id().local()).isEqualTo("H");
        assertThat(reservation.shadow().instant()).isEqualTo(NOON.plus(Duration.ofHours(2)));
        assertThat(reservation.extraCores()).isEqualTo(2);
    }

    @Test
    void a_short_job_is_backfilled_if_the_head_job_still_starts_on_time() {
        assertThat(headJobWaits().has(job("S").cores(4).hours(2)).starts()).containsExactly("S");
    }

    @Test
    void a_job_that_would_not_end_in_time_is_not_backfilled() {
        assertThat(headJobWaits().has(job("L").cores(4).minutes(121)).starts()).isEmpty();
    }

    @Test
    void a_long_job_is_backfilled_on_the_cores_that_the_head_job_leaves() {
        final TestCluster scene =
                headJobWaits().has(job("L").cores(2).hours(9), job("M").cores(1).hours(9));

        assertThat(scene.starts()).containsExactly("L");
        assertThat(scene.plan().starts().getFirst().reason())
                .isEqualTo("backfilled: 2 of 4 idle cores, runs beside alpha/H at 2026-03-02T14:00:00Z on its 2 extra"
                        + " cores");
    }

    @Test
    void strict_order_backfills_no_job() {
        assertThat(headJobWaits()
                        .has(job("S").cores(1).minutes(1))
                        .policy(new BackfillPolicy(JobOrder.PRIORITY, 0))
                        .starts())
                .isEmpty();
    }

    @Test
    void guaranteed_work_precedes_borrowed_work_and_takes_its_reservation() {
        final TestCluster scene = headJobWaits().has(job("G").cores(8).hours(1).guaranteed());

        assertThat(scene.plan().reservation().head().job().id().local()).isEqualTo("G");
        assertThat(scene.displaced("H", "G").outlook().get("H").reason())
                .isEqualTo("its reservation was given to guaranteed work");
        assertThat(scene.outlook().get("H").vetoes().getFirst().reason())
                .isEqualTo("its reservation was given to guaranteed work: job alpha/G starts first");
    }

    @Test
    void first_come_first_served_ignores_entitlement_levels() {
        assertThat(headJobWaits()
                        .has(job("G").cores(8).guaranteed())
                        .policy(BackfillPolicy.EASY_FCFS)
                        .plan()
                        .reservation()
                        .head()
                        .job()
                        .id()
                        .local())
                .isEqualTo("H");
    }

    @Test
    void a_job_without_a_limit_is_planned_without_an_end() {
        final TestCluster scene = scene(8).has(
                        job("R").cores(4).unlimited().runningFor(60),
                        job("H").cores(6),
                        job("S").cores(2).hours(100),
                        job("U").cores(1).unlimited(),
                        job("V").cores(2).unlimited());

        assertThat(scene.plan().reservation().shadow().isForeseeable()).isFalse();
        assertThat(scene.starts())
                .as("bounded jobs pass; unbounded ones only beside the head")
                .containsExactly("S", "U");
        assertThat(scene.outlook().get("H").start()).isNull();
    }

    @Test
    void a_job_past_its_limit_still_occupies_its_cores() {
        final TestCluster scene = scene(8).has(job("R").cores(4).minutes(30).runningFor(60), job("H").cores(6));

        assertThat(scene.starts()).isEmpty();
        assertThat(scene.plan().reservation().shadow().instant()).isEqualTo(NOON.plusSeconds(1));
    }

    @Test
    void a_job_in_an_unknown_state_occupies_its_cores() {
        final TestCluster scene =
                scene(8).has(job("X").cores(4).state(new JobState.Unknown("XY")), job("A").cores(5), job("B").cores(4));

        assertThat(scene.starts()).containsExactly("B");
        assertThat(scene.plan().reservation().shadow().isForeseeable()).isFalse();
    }

    @Test
    void the_cores_of_a_suspended_job_are_free() {
        final TestCluster scene = scene(8).has(
                        job("S").cores(8).state(new JobState.Suspended(NOON.minusSeconds(60), java.util.List.of())),
                        job("A").cores(8));

        assertThat(scene.starts()).containsExactly("A");
    }

    @Test
    void a_job_that_can_never_fit_does_not_block_other_jobs() {
        final TestCluster scene = scene(8).node("n1", 8, 8).has(job("W").cores(12), job("A").cores(8));

        assertThat(scene.starts()).containsExactly("A");
        assertThat(scene.barred()).containsEntry("W", "exceeds-cluster");
    }

    @Test
    void a_job_that_waits_for_nodes_to_return_does_not_block_other_jobs() {
        final QueueSnapshot view = QueueSnapshot.ofCores(
                8,
                java.util.List.of(QueuedJob.of(
                        new io.millrace.model.JobKey(new io.millrace.model.JobId(TestCluster.ALPHA, "W"), NOON),
                        io.millrace.model.Resources.cores(12),
                        TestCluster.MAIN,
                        Duration.ofHours(1),
                        0,
                        false)),
                java.util.List.of());
        final Schedule schedule = BackfillPlanner.plan(view, BackfillPolicy.EASY, NOON.getEpochSecond());

        assertThat(schedule.reservation()).isNull();
        assertThat(QueueForecast.of(view, BackfillPolicy.EASY, schedule, java.util.Map.of(), NOON.getEpochSecond(), 1)
                        .getFirst()
                        .reason())
                .isEqualTo("needs more cores than are up");
    }

    @Test
    void held_jobs_and_jobs_without_an_entitlement_are_ineligible_with_a_reason() {
        final TestCluster scene = scene(8).has(
                        job("A").state(new JobState.Held(HoldKind.USER)),
                        job("B").state(new JobState.Held(HoldKind.OPERATOR)),
                        job("C").state(new JobState.Held(HoldKind.SUBMISSION)),
                        job("D").right(null),
                        job("E").right(EntitlementLevel.HELD),
                        job("F").state(new JobState.Queued()));

        assertThat(scene.starts()).containsExactly("F");
        assertThat(scene.barred())
                .containsEntry("A", "held-by-user")
                .containsEntry("B", "held-by-operator")
                .containsEntry("C", "submission-in-progress")
                .containsEntry("D", "no-entitlement")
                .containsEntry("E", "held-by-quota")
                .hasSize(5);
    }
}
