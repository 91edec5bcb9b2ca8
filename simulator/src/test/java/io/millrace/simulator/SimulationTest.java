package io.millrace.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SimulationTest {

    private static final int CORES = 64;

    private static List<SwfJob> small() throws IOException {
        return SwfReader.read(Path.of("src/test/resources/small.swf")).jobs().stream()
                .filter(job -> job.cores() <= CORES)
                .toList();
    }

    @Test
    void no_start_differs_from_the_naive_scheduler() throws IOException {
        for (final EventOrder order : EventOrder.values()) {
            for (final BackfillPolicy policy : List.of(BackfillPolicy.STRICT_FCFS, BackfillPolicy.EASY_FCFS)) {
                assertThat(starts(Simulation.run(small(), CORES, policy, order)))
                        .as("%s %s", order, policy)
                        .containsExactlyInAnyOrderEntriesOf(naive(small(), policy, order));
            }
        }
    }

    @Test
    void no_start_differs_on_random_traces() {
        for (long seed = 1; seed <= 200; seed++) {
            final List<SwfJob> trace = trace(new Random(seed));
            final EventOrder order = EventOrder.values()[(int) (seed % 2)];
            assertThat(starts(Simulation.run(trace, 16, BackfillPolicy.EASY_FCFS, order)))
                    .as("seed %d, %s", seed, order)
                    .containsExactlyInAnyOrderEntriesOf(
                            new NaiveScheduler(16, true, order == EventOrder.PYSS).run(trace));
        }
    }

    @Test
    void cores_are_never_used_twice() throws IOException {
        final TreeMap<Long, Integer> change = new TreeMap<>();
        for (final SimulatedJob job :
                Simulation.run(small(), CORES, BackfillPolicy.EASY_FCFS, EventOrder.PASS_PER_INSTANT)) {
            change.merge(job.start_s(), job.run_s() == 0 ? 0 : job.cores(), Integer::sum);
            change.merge(job.end_s(), job.run_s() == 0 ? 0 : -job.cores(), Integer::sum);
        }
        int used = 0;
        for (final int delta : change.values()) {
            used += delta;
            assertThat(used).isBetween(0, CORES);
        }
        assertThat(used).isZero();
    }

    @Test
    void backfill_shortens_the_wait() throws IOException {
        final Summary fcfs = Summary.of(
                Simulation.run(small(), CORES, BackfillPolicy.STRICT_FCFS, EventOrder.PASS_PER_INSTANT), CORES);
        final Summary easy = Summary.of(
                Simulation.run(small(), CORES, BackfillPolicy.EASY_FCFS, EventOrder.PASS_PER_INSTANT), CORES);

        assertThat(easy.meanWait_s()).isLessThan(fcfs.meanWait_s());
        assertThat(easy.backfilled()).isPositive();
        assertThat(fcfs.backfilled()).isZero();
    }

    @Test
    void the_summary_of_a_known_schedule() {
        // 4 cores: A runs 0-100 on 4, B waits 90 s and runs 100-200 on 2, C beside it 100-105.
        final List<SimulatedJob> jobs = Simulation.run(
                List.of(
                        new SwfJob(1, 0, 100, 4, 100, 1, -1),
                        new SwfJob(2, 10, 100, 2, 100, 1, -1),
                        new SwfJob(3, 20, 5, 2, 10, 1, -1)),
                4,
                BackfillPolicy.EASY_FCFS,
                EventOrder.PASS_PER_INSTANT);

        final Summary summary = Summary.of(jobs, 4);
        assertThat(jobs).extracting(SimulatedJob::start_s).containsExactly(0L, 100L, 100L);
        assertThat(summary.meanWait_s()).isEqualTo(170 / 3.0);
        assertThat(summary.medianWait_s()).isEqualTo(80);
        assertThat(summary.p95Wait_s()).isEqualTo(90);
        assertThat(summary.meanBoundedSlowdown()).isEqualTo((1 + 1.9 + 8.5) / 3);
        assertThat(summary.makespan_s()).isEqualTo(200);
        assertThat(summary.utilisation()).isEqualTo(610 / 800.0);
    }

    private static Map<Long, Long> naive(
            final List<SwfJob> trace, final BackfillPolicy policy, final EventOrder order) {
        return new NaiveScheduler(CORES, policy.reservations() > 0, order == EventOrder.PYSS).run(trace);
    }

    private static Map<Long, Long> starts(final List<SimulatedJob> jobs) {
        return jobs.stream().collect(Collectors.toMap(SimulatedJob::id, SimulatedJob::start_s));
    }

    private static List<SwfJob> trace(final Random random) {
        final List<SwfJob> jobs = new ArrayList<>();
        long submit = 0;
        for (int id = 1; id <= 60; id++) {
            submit += random.nextInt(3) == 0 ? 0 : random.nextInt(20);
            final long requested = 1 + random.nextInt(60);
            final long run = random.nextInt(4) == 0 ? requested : random.nextLong(requested + 1);
            jobs.add(new SwfJob(id, submit, run, 1 + random.nextInt(16), requested, 1, -1));
        }
        return jobs;
    }
}
