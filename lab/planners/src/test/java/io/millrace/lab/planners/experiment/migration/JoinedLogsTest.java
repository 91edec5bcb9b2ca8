package io.millrace.lab.planners.experiment.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.job.TargetRule;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfTrace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class JoinedLogsTest {

    private static final Duration QUEUE_AFTER = Duration.ofMinutes(5);

    private static SwfJob job(final long id, final long submit_s, final int cores, final long run_s) {
        return new SwfJob(id, submit_s, run_s, cores, run_s, id % 3, -1);
    }

    private static SwfTrace trace(final List<SwfJob> jobs) {
        return new SwfTrace(Map.of("MaxProcs", "10"), jobs, List.of(), 0, List.of());
    }

    private static JoinedLogs logs(final List<SwfJob> one, final List<SwfJob> other) {
        final Map<String, SwfTrace> traces = new LinkedHashMap<>();
        traces.put("one", trace(one));
        traces.put("other", trace(other));
        return new JoinedLogs(traces, Map.of());
    }

    private static List<Long> waits(final List<SimulatedJob> jobs) {
        return jobs.stream().map(SimulatedJob::wait_s).toList();
    }

    @Test
    void a_job_runs_on_another_cluster_if_its_own_is_busy() {
        final JoinedLogs logs = logs(
                List.of(job(1, 0, 10, 10_000), job(2, 10, 4, 100), job(3, 20_000, 1, 1)),
                List.of(job(1, 0, 2, 50), job(2, 20_000, 1, 1)));
        assertThat(waits(logs.alone().getFirst())).containsExactly(0L, 9_990L, 0L);
        assertThat(waits(logs.joined(JoinedLogs.policy(TargetRule.PERFORMANCE_ORDER, QUEUE_AFTER))
                        .getFirst()))
                .containsExactly(0L, 0L, 0L);
    }

    @Test
    void a_job_in_the_queue_of_its_cluster_moves_when_another_one_is_free() {
        final JoinedLogs logs = logs(
                List.of(job(1, 0, 10, 10_000), job(2, 10, 4, 100), job(3, 20_000, 1, 1)),
                List.of(job(1, 0, 10, 2_000), job(2, 20_000, 1, 1)));
        // Its predicted wait of 8,000 s is spared, less than half of it has passed.
        assertThat(waits(logs.joined(JoinedLogs.policy(TargetRule.PERFORMANCE_ORDER, QUEUE_AFTER))
                        .getFirst()))
                .containsExactly(0L, 1_990L, 0L);
    }

    @Test
    void every_job_of_random_logs_runs_once_and_none_before_its_submission() {
        final SplittableRandom random = new SplittableRandom(7);
        final List<List<SwfJob>> traces = new ArrayList<>();
        for (int home = 0; home < 2; home++) {
            final List<SwfJob> jobs = new ArrayList<>();
            long at_s = 0;
            for (int i = 1; i <= 400; i++) {
                at_s += random.nextInt(home == 0 ? 120 : 400);
                jobs.add(job(i, at_s, 1 + random.nextInt(10), 1 + random.nextInt(900)));
            }
            traces.add(jobs);
        }
        final JoinedLogs logs = logs(traces.getFirst(), traces.getLast());
        for (final TargetRule rule : List.of(TargetRule.PERFORMANCE_ORDER, TargetRule.EARLIEST_END)) {
            final List<List<SimulatedJob>> joined = logs.joined(JoinedLogs.policy(rule, QUEUE_AFTER));
            for (int home = 0; home < 2; home++) {
                assertThat(joined.get(home))
                        .hasSize(logs.homes().get(home).jobs().size())
                        .allSatisfy(job -> assertThat(job.wait_s()).isNotNegative())
                        .allSatisfy(job -> assertThat(job.segments()).hasSize(1));
            }
            assertThat(joined.getFirst().stream()
                            .mapToLong(SimulatedJob::wait_s)
                            .sum())
                    .isLessThan(logs.alone().getFirst().stream()
                            .mapToLong(SimulatedJob::wait_s)
                            .sum());
        }
    }
}
