package io.millrace.backfill.domain.plan;

import static io.millrace.backfill.domain.view.TestCluster.NOON;
import static io.millrace.backfill.domain.view.TestCluster.job;
import static io.millrace.backfill.domain.view.TestCluster.scene;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.view.DisplacedReservations;
import io.millrace.backfill.domain.view.TestCluster;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which changes of a plan are published. */
class PublishedPlanTest {

    private static final JobKey JOB = new JobKey(new JobId(TestCluster.ALPHA, "A"), NOON);

    @Test
    void changes_of_some_seconds_or_figures_are_not_published() {
        assertThat(isUnchanged(plan(0, 1), plan(59, 1))).isTrue();
        assertThat(isUnchanged(plan(0, 1), plan(60, 1))).isFalse();
        assertThat(isUnchanged(forecast(0, 1, false, 2), forecast(0, 1, false, 3)))
                .as("3 idle cores are too few, too")
                .isTrue();
        assertThat(isUnchanged(forecast(0, 1, false, 2), forecast(0, 1, false, 4)))
                .as("another obstacle")
                .isFalse();
    }

    @Test
    void a_changed_place_is_published_near_the_front() {
        assertThat(isUnchanged(plan(0, 3), plan(0, 2))).isFalse();
        assertThat(isUnchanged(plan(0, 300), plan(0, 299))).isTrue();
        assertThat(isUnchanged(plan(0, 300), plan(0, 250))).isFalse();
    }

    @Test
    void far_behind_the_front_a_predicted_start_may_move_by_a_tenth_of_the_wait() {
        final int day = 24 * 60 * 60;
        assertThat(isUnchanged(plan(10 * day, 300), plan(11 * day - 1, 300))).isTrue();
        assertThat(isUnchanged(plan(10 * day, 300), plan(11 * day, 300))).isFalse();
        assertThat(isUnchanged(plan(10 * day, 300), plan(9 * day, 300))).isFalse();
        assertThat(isUnchanged(plan(300, 300), plan(359, 300))).isTrue();
    }

    @Test
    void near_the_front_and_for_a_reservation_a_predicted_start_may_move_by_a_minute() {
        final int day = 24 * 60 * 60;
        assertThat(isUnchanged(plan(day, 9), plan(day + 60, 9))).isFalse();
        assertThat(isUnchanged(reserved(day), reserved(day + 59))).isTrue();
        assertThat(isUnchanged(reserved(day), reserved(day + 60))).isFalse();
    }

    @Test
    void a_displaced_reservation_is_recorded_while_both_jobs_wait() {
        final DisplacedReservations displacements = new DisplacedReservations();
        final TestCluster scene = scene(8).has(job("R").cores(4).runningFor(1), job("H").cores(6));
        note(displacements, scene.plan());
        assertThat(displacements.displacers()).isEmpty();

        scene.has(job("G").cores(8).guaranteed());
        note(displacements, scene.plan());
        assertThat(displacements.displacers()).containsExactly(java.util.Map.entry(scene.key("H"), scene.key("G")));
        note(displacements, scene.plan());
        assertThat(displacements.displacers()).hasSize(1);

        note(
                displacements,
                scene(8).has(job("R").cores(4).runningFor(1), job("H").cores(6)).plan());
        assertThat(displacements.displacers()).isEmpty();
    }

    private static void note(final DisplacedReservations displacements, final Schedule schedule) {
        displacements.update(
                schedule,
                key -> schedule.waiting().stream()
                        .anyMatch(job -> job.job().job().equals(key)));
    }

    private static boolean isUnchanged(final JobForecast published, final JobForecast current) {
        return PublishedPlan.of(PlanEvents.of(published), NOON).covers(current);
    }

    private static JobForecast plan(final int seconds, final int place) {
        return forecast(seconds, place, false, 2);
    }

    private static JobForecast reserved(final int seconds) {
        return forecast(seconds, 300, true, 2);
    }

    private static JobForecast forecast(
            final int seconds, final int place, final boolean isReserved, final int idleCores) {
        final QueuedJob job = QueuedJob.of(JOB, Resources.cores(4), TestCluster.MAIN, Duration.ofHours(1), 0, false);
        final StartBlockers blockers = new StartBlockers(
                FreeCapacity.of(QueueSnapshot.ofCores(idleCores, List.of(), List.of())), 8, null, Map.of());
        return new JobForecast(
                job,
                place,
                new ShadowTime(NOON.getEpochSecond() + seconds),
                false,
                isReserved,
                blockers.of(job),
                blockers);
    }
}
