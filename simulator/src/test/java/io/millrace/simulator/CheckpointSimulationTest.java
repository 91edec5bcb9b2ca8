package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.workload.LublinFeitelson;
import io.millrace.simulator.workload.Range;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Checkpoint backfill from the first submission to the last end. */
class CheckpointSimulationTest {

    private static final CheckpointPreemptionPolicy QUARTER = CheckpointPreemptionPolicy.PUBLISHED.shrink(0.25);
    private static final BackfillPolicy BETTER = BackfillPolicy.EASY_FCFS
            .order(JobOrder.COMPACT)
            .candidates(JobOrder.RECENT)
            .keepsHead(true)
            .preemption(CheckpointPreemptionPolicy.PUBLISHED
                    .shrink(0.2)
                    .maxPreemptedShare(0.05)
                    .requeueAtHead(false)
                    .costs(60, 60));

    /** Figure 5 of the patent on ten cores: A and B run, C is the head job, D and E have overestimated walltimes. */
    private static final List<SwfJob> FIGURE_5 = List.of(
            new SwfJob(1, 0, 100, 6, 100, 1, -1), // A
            new SwfJob(2, 0, 10_000, 4, 10_000, 1, -1), // B
            new SwfJob(3, 1, 10_000, 8, 10_000, 1, -1), // C
            new SwfJob(4, 2, 6_000, 3, 20_000, 1, -1), // D
            new SwfJob(5, 3, 15_000, 3, 20_000, 1, -1)); // E

    private static List<SimulatedJob> run(final BackfillPolicy policy) {
        return Simulation.run(FIGURE_5, 10, policy, EventOrder.PASS_PER_INSTANT);
    }

    @Test
    void figure_5_without_checkpoints_leaves_the_window_empty() {
        final List<SimulatedJob> jobs = run(BackfillPolicy.EASY_FCFS);
        assertThat(jobs).extracting(SimulatedJob::start_s).containsExactly(0L, 0L, 10_000L, 20_000L, 20_000L);
    }

    @Test
    void figure_5_with_checkpoints_fills_the_window_and_the_head_job_starts_on_time() {
        final List<SimulatedJob> jobs = run(BackfillPolicy.EASY_FCFS.preemption(QUARTER));
        assertThat(jobs).extracting(SimulatedJob::start_s).containsExactly(0L, 0L, 10_000L, 100L, 100L);
        assertThat(jobs.get(2).late_s()).isZero();
        assertThat(jobs.get(3).segments())
                .as("D ends before the reservation")
                .containsExactly(new Segment(100, 6_100, Segment.Kind.BACKFILLED, 6_000));
        assertThat(jobs.get(4).segments())
                .as("E is cut at the reservation, and only the rest is run when C has ended")
                .containsExactly(
                        new Segment(100, 10_000, Segment.Kind.CHECKPOINTED, 9_900),
                        new Segment(20_000, 25_100, Segment.Kind.RESTARTED, 5_100));
        assertThat(jobs.get(4).checkpoints()).isEqualTo(1);
        assertThat(jobs.get(4).lostCoreSeconds()).isZero();
    }

    @Test
    void a_checkpoint_delays_the_head_job_by_its_own_duration_and_a_restart_takes_time() {
        final List<SimulatedJob> jobs = run(BackfillPolicy.EASY_FCFS.preemption(QUARTER.costs(300, 60)));
        assertThat(jobs.get(2).start_s()).isEqualTo(10_300);
        assertThat(jobs.get(2).late_s()).isEqualTo(300);
        assertThat(jobs.get(4).segments())
                .containsExactly(
                        new Segment(100, 10_300, Segment.Kind.CHECKPOINTED, 9_900),
                        new Segment(20_300, 20_300 + 60 + 5_100, Segment.Kind.RESTARTED, 5_100));
        assertThat(jobs.get(4).lostCoreSeconds()).isEqualTo(3 * (300 + 60));
    }

    @Test
    void a_checkpoint_ahead_does_not_delay_the_head_job() {
        final List<SimulatedJob> jobs =
                run(BackfillPolicy.EASY_FCFS.preemption(QUARTER.costs(300, 60).checkpointAhead(true)));
        assertThat(jobs.get(2).start_s()).isEqualTo(10_000);
        assertThat(jobs.get(4).segments().getFirst())
                .isEqualTo(new Segment(100, 10_000, Segment.Kind.CHECKPOINTED, 9_600));
    }

    @Test
    void a_job_without_checkpoint_support_starts_again_from_the_beginning() {
        final BackfillPolicy policy = BackfillPolicy.EASY_FCFS.preemption(
                QUARTER.uncheckpointable(CheckpointPreemptionPolicy.Uncheckpointable.REQUEUE));
        final List<SimulatedJob> jobs = Simulation.run(
                FIGURE_5, Scenario.of(10, policy, EventOrder.PASS_PER_INSTANT).withCheckpointableShare(0, 1));
        assertThat(jobs.get(4).segments())
                .containsExactly(
                        new Segment(100, 10_000, Segment.Kind.LOST, 0),
                        new Segment(20_000, 35_000, Segment.Kind.RESERVED, 15_000));
        assertThat(jobs.get(4).lostCoreSeconds()).isEqualTo(3 * 9_900);
        assertThat(jobs.get(4).checkpoints()).isZero();
        assertThat(jobs.get(4).preemptions()).isEqualTo(1);
    }

    @Test
    void capacity_work_and_reservations_are_consistent_with_random_workloads() {
        int cut = 0;
        for (long seed = 1; seed <= 12; seed++) {
            final List<SwfJob> trace = new LublinFeitelson(32, 400, 5, new Range(1, 20)).jobs(seed);
            for (final BackfillPolicy policy : List.of(
                    BackfillPolicy.CHECKPOINT_FCFS,
                    BackfillPolicy.CHECKPOINT_FCFS.preemption(
                            QUARTER.costs(60, 30).preemptionsPerJob(3)),
                    BackfillPolicy.CHECKPOINT_FCFS.preemption(
                            QUARTER.uncheckpointable(CheckpointPreemptionPolicy.Uncheckpointable.REQUEUE)
                                    .checkpointAhead(true)
                                    .costs(100, 10)),
                    BETTER)) {
                final List<SimulatedJob> jobs = Simulation.run(
                        trace,
                        Scenario.of(32, policy, EventOrder.PASS_PER_INSTANT).withCheckpointableShare(0.8, seed));
                cut += check(jobs, policy, "seed " + seed + ", " + policy);
            }
        }
        assertThat(cut).as("the worlds are interesting").isGreaterThan(100);
    }

    @Test
    void no_reservation_is_late_by_more_than_one_checkpoint_with_any_settings() {
        int late = 0;
        for (long seed = 1; seed <= 80; seed++) {
            final BackfillPolicy policy = anyCutting(new Random(seed));
            final List<SimulatedJob> jobs = Simulation.run(
                    crowded(new LublinFeitelson(64, 300, 5, new Range(1, 20)).jobs(seed)),
                    Scenario.of(64, policy, EventOrder.PASS_PER_INSTANT).withCheckpointableShare(0.9, seed));
            for (final SimulatedJob job : jobs) {
                assertThat(job.late_s())
                        .as("seed %d, %s: job %d", seed, policy, job.id())
                        .isLessThanOrEqualTo(policy.preemption().checkpoint_s());
                late += job.late_s() > 0 ? 1 : 0;
            }
        }
        assertThat(late).as("the worlds are interesting").isGreaterThan(50);
    }

    /** Arrivals within a third of the time. */
    private static List<SwfJob> crowded(final List<SwfJob> trace) {
        return trace.stream()
                .map(job -> new SwfJob(
                        job.id(), job.submit_s() / 3, job.run_s(), job.cores(), job.requested_s(), job.user(), -1))
                .toList();
    }

    private static BackfillPolicy anyCutting(final Random random) {
        final JobOrder[] orders = {
            JobOrder.FCFS, JobOrder.SJF, JobOrder.RECENT, JobOrder.SMALLEST, JobOrder.EXPANSION, JobOrder.COMPACT
        };
        return BackfillPolicy.EASY_FCFS
                .order(orders[random.nextInt(orders.length)])
                .candidates(orders[random.nextInt(orders.length)])
                .keepsHead(true)
                .preemption(CheckpointPreemptionPolicy.PUBLISHED
                        .shrink(0.05 * (1 + random.nextInt(8)))
                        .threshold(random.nextInt(2000))
                        .costs(random.nextInt(1000), random.nextInt(300))
                        .victimOrder(
                                CheckpointPreemptionPolicy.VictimOrder.values()[
                                        random.nextInt(CheckpointPreemptionPolicy.VictimOrder.values().length)])
                        .learned(random.nextInt(4) == 0)
                        .checkpointAhead(random.nextInt(3) == 0)
                        .preemptionsPerJob(1 + random.nextInt(3))
                        .requeueAtHead(random.nextBoolean())
                        .maxPreemptedShare(random.nextBoolean() ? 1 : 0.2)
                        .uncheckpointable(CheckpointPreemptionPolicy.Uncheckpointable.values()[random.nextInt(2)]));
    }

    private static int check(final List<SimulatedJob> jobs, final BackfillPolicy policy, final String scene) {
        final TreeMap<Long, Integer> change = new TreeMap<>();
        int cut = 0;
        for (final SimulatedJob job : jobs) {
            long before = job.submit_s();
            for (final Segment segment : job.segments()) {
                assertThat(segment.start_s()).as(scene).isGreaterThanOrEqualTo(before);
                before = segment.end_s();
                change.merge(segment.start_s(), job.cores(), Integer::sum);
                change.merge(segment.end_s(), -job.cores(), Integer::sum);
            }
            assertThat(job.segments().stream().mapToLong(Segment::work_s).sum())
                    .as("%s: job %d has done all its work, and none twice", scene, job.id())
                    .isEqualTo(job.run_s());
            assertThat(job.preemptions())
                    .as(scene)
                    .isLessThanOrEqualTo(policy.preemption().preemptionsPerJob());
            assertThat(job.late_s())
                    .as("%s: job %d is late by more than a checkpoint", scene, job.id())
                    .isLessThanOrEqualTo(policy.preemption().checkpoint_s());
            cut += job.preemptions();
        }
        int used = 0;
        for (final int by : change.values()) {
            used += by;
            assertThat(used).as(scene).isBetween(0, 32);
        }
        assertThat(cut)
                .as(scene)
                .isLessThanOrEqualTo((int) Math.ceil(policy.preemption().maxPreemptedShare() * jobs.size())
                        * policy.preemption().preemptionsPerJob());
        return cut;
    }

    @Test
    void on_several_clusters_each_job_runs_on_its_cluster_and_removed_cores_are_not_used() {
        final List<SwfJob> trace = List.of(
                new SwfJob(1, 0, 100, 4, 100, 1, -1),
                new SwfJob(2, 0, 100, 4, 100, 2, -1),
                new SwfJob(3, 5, 100, 4, 100, 2, -1));
        final Scenario.Site small = site("small", 4);
        final Scenario.Site large = site("large", 8);
        final Scenario scenario = new Scenario(
                List.of(small, large),
                job -> (int) job.user() - 1,
                EventOrder.PASS_PER_INSTANT,
                List.of(new ClusterEvent.Change(3, 1, -4), new ClusterEvent.Change(50, 1, 4)),
                Scenario.Staging.NONE,
                1,
                1);
        assertThat(Simulation.run(trace, scenario))
                .extracting(SimulatedJob::start_s)
                .as("four of eight cores are away from 3 to 50 s")
                .containsExactly(0L, 0L, 50L);
    }

    private static Scenario.Site site(final String name, final int cores) {
        return new Scenario.Site(name, cores, () -> new BackfillScheduler(cores, BackfillPolicy.EASY_FCFS, false));
    }
}
