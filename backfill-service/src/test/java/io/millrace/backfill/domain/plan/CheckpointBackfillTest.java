package io.millrace.backfill.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunTimeHistory;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.view.TestCluster;
import io.millrace.backfill.domain.view.VirtualQueue;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Checkpoint backfill on ten cores: four are busy until 10,000 s, the head job needs eight, and other jobs are candidates. */
class CheckpointBackfillTest {

    private static final CheckpointPreemptionPolicy CUTTING = CheckpointPreemptionPolicy.PUBLISHED.shrink(0.25);
    private static final long SHADOW = 10_000;

    private final Map<String, QueuedJob> jobs = new LinkedHashMap<>();
    private final List<QueuedJob> told = new ArrayList<>();
    private final RunTimeHistory history = new RunTimeHistory();
    private VirtualQueue planner;

    @BeforeEach
    void headJobWaits() {
        begin(CUTTING);
    }

    private void begin(final CheckpointPreemptionPolicy cutting) {
        jobs.clear();
        planner = new VirtualQueue(10, BackfillPolicy.EASY_FCFS.preemption(cutting), history);
        queue("B", 4, SHADOW);
        planner.decide(0);
        queue("C", 8, 50_000);
        assertThat(started(0)).isEmpty();
    }

    private void queue(final String name, final int cores, final long walltime_s) {
        queue(name, cores, walltime_s, JobAttributes.of("anna", "", true));
    }

    private void queue(final String name, final int cores, final long walltime_s, final JobAttributes traits) {
        final JobKey key = new JobKey(new JobId(TestCluster.ALPHA, name), Instant.ofEpochSecond(told.size()));
        final QueuedJob job = new QueuedJob(
                key,
                Resources.cores(cores),
                TestCluster.MAIN,
                walltime_s,
                0,
                false,
                traits,
                Placement.ANYWHERE,
                List.of());
        told.add(job);
        jobs.put(name, job);
        planner.queue(job);
    }

    private List<String> started(final long now_s) {
        return started(planner.decide(now_s));
    }

    private List<String> cut(final long now_s) {
        return cut(planner.decide(now_s));
    }

    private static List<String> started(final Schedule schedule) {
        return schedule.starts().stream()
                .map(start -> start.job().job().id().local())
                .toList();
    }

    private static List<String> cut(final Schedule schedule) {
        return schedule.preemptions().stream()
                .map(victim -> victim.job().id().local())
                .toList();
    }

    private RunningJob run(final String name) {
        return planner.running(jobs.get(name).job());
    }

    private void end(final String name) {
        planner.end(jobs.get(name).job());
    }

    @Test
    void a_job_is_backfilled_on_a_quarter_of_its_estimate() {
        queue("E", 3, 4 * SHADOW);
        assertThat(started(0)).containsExactly("E");
        assertThat(run("E").startBasis().preemptible()).isTrue();
        assertThat(run("E").expectedEnd_s()).isEqualTo(SHADOW);
    }

    @Test
    void a_job_that_fits_exactly_is_backfilled() {
        // The patent claims "less than" for both values: 6 of 6 idle cores, and an end in the second of the
        // reservation.
        queue("E", 6, 4 * SHADOW);
        assertThat(started(0)).containsExactly("E");
    }

    @Test
    void a_job_that_is_one_second_too_long_is_not_backfilled() {
        queue("E", 6, 4 * SHADOW + 1);
        assertThat(started(0)).isEmpty();
    }

    @Test
    void a_job_that_fits_beside_the_head_job_is_backfilled_regardless_of_its_length() {
        queue("E", 2, 100 * SHADOW);
        assertThat(started(0)).containsExactly("E");
    }

    @Test
    void no_job_starts_on_a_shrunk_estimate_while_checkpoints_are_written() {
        begin(CUTTING.costs(600, 0));
        queue("E", 4, 4 * SHADOW);
        assertThat(started(0)).containsExactly("E");
        end("B");
        assertThat(cut(SHADOW)).containsExactly("E");
        queue("beside", 2, 2400);
        assertThat(started(SHADOW)).containsExactly("beside");
        assertThat(run("beside").expectedEnd_s())
                .as("a quarter of it, when E leaves too")
                .isEqualTo(SHADOW + 600);
        queue("shrunk", 2, 2000);
        queue("short", 2, 600);
        assertThat(started(SHADOW))
                .as("a quarter of 2000 s would end before E has left, but who outlives it would have to be cut after E")
                .containsExactly("short");
    }

    @Test
    void a_short_job_is_not_shrunk() {
        begin(CUTTING.threshold(40_000));
        queue("E", 3, 4 * SHADOW);
        assertThat(started(0)).isEmpty();
        queue("F", 3, SHADOW);
        assertThat(started(0)).containsExactly("F");
        assertThat(run("F").startBasis().preemptible()).isFalse();
    }

    @Test
    void a_job_whose_checkpoint_costs_too_much_of_it_is_not_shrunk() {
        begin(CUTTING.costs(300, 300).maxCostShare(0.01));
        queue("E", 3, 4 * SHADOW);
        assertThat(started(0)).isEmpty();
        begin(CUTTING.costs(300, 300).maxCostShare(0.02));
        queue("E", 3, 4 * SHADOW);
        assertThat(started(0)).containsExactly("E");
    }

    @Test
    void a_job_without_checkpoint_support_is_excluded_or_requeued_by_the_policy() {
        final JobAttributes cannot = JobAttributes.of("anna", "", false);
        queue("E", 3, 4 * SHADOW, cannot);
        assertThat(started(0)).isEmpty();
        begin(CUTTING.uncheckpointable(CheckpointPreemptionPolicy.Uncheckpointable.REQUEUE)
                .costs(60, 60));
        queue("E", 3, 4 * SHADOW, cannot);
        assertThat(started(0)).containsExactly("E");
        end("B");
        assertThat(cut(SHADOW)).containsExactly("E");
        assertThat(run("E").expectedEnd_s()).as("there is nothing to save").isEqualTo(SHADOW);
    }

    @Test
    void no_job_is_preempted_before_the_reservation_is_due() {
        queue("E", 3, 4 * SHADOW);
        final Schedule decisions = planner.decide(0);
        assertThat(decisions.replanAt().second()).isEqualTo(SHADOW);
        assertThat(cut(SHADOW - 1)).isEmpty();
        end("B");
        assertThat(cut(SHADOW)).containsExactly("E");
    }

    @Test
    void no_job_is_preempted_if_the_head_job_fits_without() {
        queue("D", 2, 4 * SHADOW);
        assertThat(started(0)).containsExactly("D");
        end("B");
        final Schedule decisions = planner.decide(SHADOW);
        assertThat(decisions.preemptions()).isEmpty();
        assertThat(started(decisions)).containsExactly("C");
    }

    @Test
    void the_largest_job_is_preempted_first_and_no_more_than_needed() {
        queue("D", 1, 3 * SHADOW);
        queue("E", 3, 3 * SHADOW);
        queue("F", 2, 3 * SHADOW);
        assertThat(started(0)).containsExactly("D", "E", "F");
        end("B");
        // 4 idle, 8 needed: E and F suffice, E and D too. Largest first takes E, then F; D is not needed.
        assertThat(cut(SHADOW)).containsExactly("E", "F");
    }

    @Test
    void the_narrowest_sufficient_job_is_preempted_with_fewest_cores() {
        begin(CUTTING.victimOrder(CheckpointPreemptionPolicy.VictimOrder.FEWEST_CORES));
        queue("D", 1, 3 * SHADOW);
        queue("E", 3, 3 * SHADOW);
        assertThat(started(0)).containsExactly("D", "E");
        end("B");
        queue("F", 1, 100);
        // 6 idle, 8 needed: D alone does not suffice, E does.
        assertThat(cut(SHADOW)).containsExactly("E");

        begin(CUTTING.victimOrder(CheckpointPreemptionPolicy.VictimOrder.FEWEST_CORES));
        queue("D", 2, 12 * SHADOW);
        queue("E", 3, 3 * SHADOW);
        queue("F", 1, 4 * SHADOW);
        assertThat(started(0))
                .as("D runs beside the head, its turn to be cut comes too")
                .containsExactly("D", "E", "F");
        end("B");
        assertThat(cut(SHADOW))
                .as("4 idle, 8 needed: two must go, the wide ones")
                .containsExactly("E", "D");
    }

    @Test
    void no_job_takes_the_cores_of_the_head_job_while_the_checkpoint_is_written() {
        begin(CUTTING.costs(300, 60));
        queue("E", 3, 4 * SHADOW);
        assertThat(started(0)).containsExactly("E");
        end("B");
        queue("F", 7, 301);
        queue("G", 7, 300);
        final Schedule due = planner.decide(SHADOW);
        assertThat(cut(due)).containsExactly("E");
        assertThat(started(due)).as("G ends when the checkpoint does").containsExactly("G");
        end("G");
        end("E");
        assertThat(started(SHADOW + 300)).containsExactly("C");
    }

    @Test
    void a_checkpoint_ahead_is_complete_when_the_reservation_is_due() {
        begin(CUTTING.costs(300, 60).checkpointAhead(true));
        queue("E", 3, 4 * SHADOW);
        assertThat(planner.decide(0).replanAt().second()).isEqualTo(SHADOW - 300);
        assertThat(cut(SHADOW - 300)).containsExactly("E");
        end("E");
        end("B");
        assertThat(started(SHADOW)).containsExactly("C");
    }

    @Test
    void a_preempted_job_waits_behind_the_head_job_ahead_of_others_and_is_not_shrunk_again() {
        queue("E", 3, 4 * SHADOW);
        planner.decide(0);
        queue("F", 9, 1000);
        end("B");
        assertThat(cut(SHADOW)).containsExactly("E");
        end("E");
        final QueuedJob rest = jobs.get("E").withWalltime(3 * SHADOW);
        jobs.put("E2", rest.withAttributes(rest.attributes().preempted(SHADOW)));
        planner.queue(jobs.get("E2"));
        final Schedule decisions = planner.decide(SHADOW);
        assertThat(started(decisions)).containsExactly("C");
        assertThat(decisions.reservations().getFirst().head()).isEqualTo(jobs.get("E2"));
        end("C");
        assertThat(started(2 * SHADOW)).containsExactly("E");
        assertThat(run("E2").startBasis().preemptible()).isFalse();
    }

    @Test
    void no_more_jobs_are_shrunk_than_may_be_preempted() {
        begin(CUTTING.maxPreemptedShare(0.3));
        queue("D", 3, 4 * SHADOW);
        queue("E", 3, 4 * SHADOW);
        // 4 jobs, of which 1.2 may be cut: two at most would, so the first is shrunk, and the second; a third would be
        // too many.
        queue("F", 1, 4 * SHADOW);
        assertThat(started(0)).containsExactly("D", "E");
    }

    @Test
    void the_shrink_factor_is_learned_from_the_jobs_of_a_user() {
        begin(CUTTING.learned(true));
        queue("E", 3, 10 * SHADOW);
        assertThat(started(0)).as("a quarter would be too long").isEmpty();
        history.ended(JobAttributes.of("anna", "", true), 1000, 10_000);
        history.ended(JobAttributes.of("anna", "", true), 900, 10_000);
        assertThat(started(0)).containsExactly("E");
        assertThat(run("E").expectedEnd_s()).isEqualTo(SHADOW);
    }
}
