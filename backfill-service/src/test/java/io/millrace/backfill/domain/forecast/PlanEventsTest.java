package io.millrace.backfill.domain.forecast;

import static io.millrace.backfill.domain.live.TestCluster.NOON;
import static io.millrace.backfill.domain.live.TestCluster.job;
import static io.millrace.backfill.domain.live.TestCluster.scene;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.job.PublishedPlan;
import io.millrace.backfill.domain.live.TestCluster;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.VetoCode;
import io.millrace.model.command.Issuer;
import io.millrace.model.policy.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which changes of a plan are published. */
class PlanEventsTest {

    private static final JobKey JOB = new JobKey(new JobId(TestCluster.ALPHA, "A"), NOON);

    @Test
    void changes_of_some_seconds_are_not_published() {
        assertThat(isUnchanged(plan(0, 1, "waits", "2 idle"), plan(59, 1, "waits", "3 idle")))
                .isTrue();
        assertThat(isUnchanged(plan(0, 1, "waits", "2 idle"), plan(60, 1, "waits", "2 idle")))
                .isFalse();
        assertThat(isUnchanged(plan(0, 1, "waits", "2 idle"), plan(0, 1, "is next", "2 idle")))
                .isFalse();
    }

    @Test
    void a_changed_place_is_published_near_the_front() {
        assertThat(isUnchanged(plan(0, 3, "waits", ""), plan(0, 2, "waits", "")))
                .isFalse();
        assertThat(isUnchanged(plan(0, 300, "waits", ""), plan(0, 299, "waits", "")))
                .isTrue();
        assertThat(isUnchanged(plan(0, 300, "waits", ""), plan(0, 250, "waits", "")))
                .isFalse();
    }

    @Test
    void far_behind_the_front_a_predicted_start_may_move_by_a_tenth_of_the_wait() {
        final int day = 24 * 60 * 60;
        assertThat(isUnchanged(plan(10 * day, 300, "waits", ""), plan(11 * day - 1, 300, "waits", "")))
                .isTrue();
        assertThat(isUnchanged(plan(10 * day, 300, "waits", ""), plan(11 * day, 300, "waits", "")))
                .isFalse();
        assertThat(isUnchanged(plan(10 * day, 300, "waits", ""), plan(9 * day, 300, "waits", "")))
                .isFalse();
        assertThat(isUnchanged(plan(300, 300, "waits", ""), plan(359, 300, "waits", "")))
                .isTrue();
    }

    @Test
    void near_the_front_and_for_a_reservation_a_predicted_start_may_move_by_a_minute() {
        final int day = 24 * 60 * 60;
        assertThat(isUnchanged(plan(day, 9, "waits", ""), plan(day + 60, 9, "waits", "")))
                .isFalse();
        assertThat(isUnchanged(reserved(day), reserved(day + 59))).isTrue();
        assertThat(isUnchanged(reserved(day), reserved(day + 60))).isFalse();
    }

    private static Plan reserved(final int seconds) {
        return new Plan(
                JOB, Issuer.BACKFILL, NOON.plusSeconds(seconds), 300, "waits", List.of(), null, false, true, null);
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
                key -> schedule.waiting().stream().anyMatch(job -> job.job().equals(key)));
    }

    private static boolean isUnchanged(final Plan published, final Plan current) {
        return PlanEvents.isUnchanged(published, current, PublishedPlan.tolerance_s(published, NOON.getEpochSecond()));
    }

    private static Plan plan(final int seconds, final int place, final String why, final String figures) {
        return new Plan(
                JOB,
                Issuer.BACKFILL,
                NOON.plusSeconds(seconds),
                place,
                why,
                List.of(VetoCode.NO_IDLE_CORES.veto(figures)));
    }
}
