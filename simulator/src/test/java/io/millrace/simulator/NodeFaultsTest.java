package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.CheckpointPreemptionPolicy;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.workload.LublinFeitelson;
import io.millrace.simulator.workload.Range;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Node faults requeue jobs and cause replanning; jobs wait for their data first. */
class NodeFaultsTest {

    private static final int CORES = 32;

    private static Scenario easy(final ClusterEvent... by) {
        return Scenario.of(8, BackfillPolicy.EASY_FCFS, EventOrder.PASS_PER_INSTANT)
                .disturbed(List.of(by));
    }

    @Test
    void a_job_on_a_failed_node_loses_its_work_and_starts_again_when_it_fits() {
        final List<SwfJob> trace = List.of(
                new SwfJob(1, 0, 100, 4, 100, 1, -1),
                new SwfJob(2, 0, 100, 4, 100, 1, -1),
                new SwfJob(3, 10, 10, 6, 10, 1, -1));
        final List<SimulatedJob> jobs = Simulation.run(
                trace, easy(new ClusterEvent.Failure(40, 0, 2, 0.99), new ClusterEvent.Change(300, 0, 2)));

        assertThat(jobs.get(0).segments()).containsExactly(new Segment(0, 100, Segment.Kind.RUN, 100));
        assertThat(jobs.get(1).segments())
                .as("two of its cores are gone: it waits, first in order, for four of the six that are left")
                .containsExactly(
                        new Segment(0, 40, Segment.Kind.LOST, 0), new Segment(100, 200, Segment.Kind.RESERVED, 100));
        assertThat(jobs.get(1).lostCoreSeconds()).isEqualTo(4 * 40);
        assertThat(jobs.get(2).start_s()).isEqualTo(200);
    }

    @Test
    void a_job_wider_than_the_remaining_cores_does_not_block_others_until_the_node_returns() {
        final List<SwfJob> trace = List.of(new SwfJob(1, 10, 50, 8, 50, 1, -1), new SwfJob(2, 20, 50, 4, 50, 1, -1));
        assertThat(Simulation.run(
                        trace, easy(new ClusterEvent.Failure(5, 0, 1, 0), new ClusterEvent.Change(100, 0, 1))))
                .extracting(SimulatedJob::start_s)
                .containsExactly(100L, 20L);
    }

    @Test
    void capacity_and_work_are_consistent_with_random_faults() {
        int lost = 0;
        for (long seed = 1; seed <= 10; seed++) {
            final List<SwfJob> trace = new LublinFeitelson(CORES, 200, 5, new Range(1, 20)).jobs(seed);
            final List<ClusterEvent> faults = new NodeFaults(4, 8000, 5000).on(trace, CORES, seed);
            for (final BackfillPolicy policy : List.of(
                    BackfillPolicy.STRICT_FCFS,
                    BackfillPolicy.EASY_FCFS,
                    BackfillPolicy.EASY_FCFS.reservations(3),
                    BackfillPolicy.CONSERVATIVE_FCFS,
                    BackfillPolicy.CHECKPOINT_FCFS.preemption(CheckpointPreemptionPolicy.PUBLISHED.costs(600, 60)))) {
                final Scenario scenario = Scenario.of(CORES, policy, EventOrder.PASS_PER_INSTANT)
                        .withCheckpointableShare(1, seed)
                        .disturbed(faults);
                final String scene = "seed " + seed + ", " + policy;
                final List<SimulatedJob> jobs = Simulation.run(trace, scenario);
                lost += check(jobs, faults, scene);
                assertThat(Simulation.run(trace, scenario))
                        .as("%s: the same again", scene)
                        .extracting(SimulatedJob::segments)
                        .isEqualTo(jobs.stream().map(SimulatedJob::segments).toList());
            }
        }
        assertThat(lost).as("the worlds are interesting").isGreaterThan(100);
    }

    private static int check(final List<SimulatedJob> jobs, final List<ClusterEvent> faults, final String scene) {
        final TreeMap<Long, Integer> change = new TreeMap<>();
        for (final ClusterEvent fault : faults) {
            change.merge(
                    fault.at_s(),
                    switch (fault) {
                        case ClusterEvent.Failure failure -> failure.cores();
                        case ClusterEvent.Change back -> -back.cores();
                    },
                    Integer::sum);
        }
        int lost = 0;
        for (final SimulatedJob job : jobs) {
            for (final Segment segment : job.segments()) {
                change.merge(segment.start_s(), job.cores(), Integer::sum);
                change.merge(segment.end_s(), -job.cores(), Integer::sum);
                lost += segment.kind() == Segment.Kind.LOST ? 1 : 0;
            }
            assertThat(job.segments().stream().mapToLong(Segment::work_s).sum())
                    .as("%s: job %d has done all its work, and none twice", scene, job.id())
                    .isEqualTo(job.run_s());
        }
        int used = 0;
        for (final int by : change.values()) {
            used += by;
            assertThat(used).as(scene).isBetween(0, CORES);
        }
        return lost;
    }

    @Test
    void a_job_waits_for_its_data_before_it_waits_for_its_cores() {
        final List<SwfJob> trace = List.of(new SwfJob(1, 0, 100, 8, 100, 1, -1), new SwfJob(2, 10, 100, 8, 100, 2, -1));
        final Scenario staged = easy().staged((job, cluster) -> job.user() == 1 ? 30 : 0);
        assertThat(Simulation.run(trace, staged))
                .extracting(SimulatedJob::start_s)
                .containsExactly(110L, 10L);
    }

    @Test
    void pyss_has_no_faults() {
        assertThatThrownBy(() -> Scenario.of(8, BackfillPolicy.EASY_FCFS, EventOrder.PYSS)
                        .disturbed(List.of(new ClusterEvent.Failure(1, 0, 1, 0))))
                .hasMessageContaining("node faults cannot be combined with the event order of pyss");
    }
}
