package io.millrace.backfill.domain.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.job.EarlierReservation;
import io.millrace.backfill.domain.job.JobAttributes;
import io.millrace.backfill.domain.job.JobOrder;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.backfill.domain.live.TestCluster;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The planner starts the same jobs as the naive planner at every depth, with retained state and from scratch. */
class PlannerAgainstNaiveTest {

    private static final Comparator<QueuedJob> FCFS = QueuedJob.BY_SUBMISSION;
    private static final Comparator<QueuedJob> SHORTEST =
            Comparator.comparingLong(QueuedJob::walltime_s).thenComparing(FCFS);

    private static QueuedJob job(final Random random, final String name, final int widest, final long submit_s) {
        final JobKey key = new JobKey(new JobId(TestCluster.ALPHA, name), Instant.ofEpochSecond(submit_s));
        return new QueuedJob(
                key,
                Resources.cores(1 + random.nextInt(widest)),
                TestCluster.MAIN,
                1 + random.nextInt(100),
                0,
                false,
                JobAttributes.UNKNOWN,
                Placement.ANYWHERE,
                List.of());
    }

    private static QueueSnapshot view(final Random random, final long now_s, final boolean windows) {
        final int cores = 4 + random.nextInt(28);
        int idle = cores;
        final List<RunningJob> running = new ArrayList<>();
        while (idle > 0 && random.nextInt(8) > 0) {
            final QueuedJob job = job(random, "r" + running.size(), idle, 0);
            idle -= job.cores();
            running.add(new RunningJob(
                    job.job(), job.resources(), TestCluster.MAIN, now_s + random.nextInt(80), List.of()));
        }
        final List<QueuedJob> queued = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            queued.add(job(random, "q" + i, cores, 1000 + random.nextInt(10)));
        }
        final MaintenanceWindow maintenance = new MaintenanceWindow(
                now_s + 20 + random.nextInt(60), now_s + 200, cores, null, List.of(), "maintenance");
        return new QueueSnapshot(
                idle,
                queued,
                running,
                FreeNodeCapacity.of(List.of()),
                Map.of(),
                windows ? List.of(maintenance) : List.of(),
                Map.of(),
                Set.of(),
                Map.of());
    }

    @Test
    void starts_the_same_jobs_as_the_naive_planner_at_every_depth() {
        int starts = 0;
        for (long seed = 1; seed <= 400; seed++) {
            final Random random = new Random(seed);
            final QueueSnapshot view = view(random, 5000, false);
            for (final int depth : new int[] {0, 1, 2, 5, BackfillPolicy.ALL}) {
                final List<JobKey> expected =
                        new NaivePlanner(view, 5000, 4000).starts(view.queued(), depth, FCFS, FCFS);
                assertThat(keys(BackfillPlanner.planOnce(view, new BackfillPolicy(JobOrder.FCFS, depth), 5000)))
                        .as("seed %d, depth %d", seed, depth)
                        .isEqualTo(expected);
                starts += expected.size();
            }
        }
        assertThat(starts).as("the scenes are interesting").isGreaterThan(1000);
    }

    @Test
    void tries_candidates_in_the_order_of_the_policy() {
        for (long seed = 1; seed <= 200; seed++) {
            final QueueSnapshot view = view(new Random(seed), 5000, false);
            for (final int depth : new int[] {1, 3}) {
                assertThat(keys(BackfillPlanner.planOnce(
                                view, new BackfillPolicy(JobOrder.FCFS, depth).candidates(JobOrder.SJF), 5000)))
                        .as("seed %d, depth %d", seed, depth)
                        .isEqualTo(new NaivePlanner(view, 5000, 4000).starts(view.queued(), depth, FCFS, SHORTEST));
            }
        }
    }

    @Test
    void starts_nothing_that_would_run_into_a_maintenance_window() {
        int kept = 0;
        for (long seed = 1; seed <= 200; seed++) {
            final QueueSnapshot view = view(new Random(seed), 5000, true);
            for (final int depth : new int[] {1, 4, BackfillPolicy.ALL}) {
                final Schedule schedule =
                        BackfillPlanner.planOnce(view, new BackfillPolicy(JobOrder.FCFS, depth), 5000);
                assertThat(keys(schedule))
                        .as("seed %d, depth %d", seed, depth)
                        .isEqualTo(new NaivePlanner(view, 5000, 4000).starts(view.queued(), depth, FCFS, FCFS));
                kept += schedule.waiting().size();
            }
        }
        assertThat(kept).isGreaterThan(1000);
    }

    private static List<JobKey> keys(final Schedule schedule) {
        return schedule.starts().stream().map(start -> start.job().job()).toList();
    }

    @Test
    void retained_state_leads_to_the_same_starts_as_a_snapshot() {
        for (long seed = 1; seed <= 60; seed++) {
            final Random random = new Random(seed);
            final int depth = random.nextInt(4);
            final int cores = 8 + random.nextInt(24);
            final JobOrder candidates = random.nextBoolean() ? JobOrder.FCFS : JobOrder.SJF;
            final BackfillPolicy policy = new BackfillPolicy(JobOrder.FCFS, depth).candidates(candidates);
            final BackfillPlanner planner = new BackfillPlanner(
                    policy, QueueSnapshot.ofCores(cores, List.of(), List.of()), new RunTimeHistory());
            final List<PlannedJob> waiting = new ArrayList<>();
            final List<PlannedJob> running = new ArrayList<>();
            long now = 5000;
            List<Reservation> promised = List.of();
            for (int i = 0; i < 200; i++) {
                now += random.nextInt(8);
                final long t = now;
                running.removeIf(job -> {
                    final boolean ends = job.limitEnd_s() <= t || random.nextInt(12) == 0;
                    if (ends) {
                        planner.end(job, t);
                    }
                    return ends;
                });
                if (random.nextInt(3) > 0) {
                    waiting.add(planner.queue(job(random, "q" + i, cores, t)));
                }
                if (!waiting.isEmpty() && random.nextInt(20) == 0) {
                    planner.withdraw(waiting.remove(random.nextInt(waiting.size())));
                }
                final int used = running.stream().mapToInt(PlannedJob::cores).sum();
                final QueueSnapshot view = new QueueSnapshot(
                        cores - used,
                        waiting.stream().map(PlannedJob::job).toList(),
                        running.stream()
                                .map(job -> new RunningJob(
                                        job.job().job(),
                                        job.job().resources(),
                                        TestCluster.MAIN,
                                        job.limitEnd_s(),
                                        List.of()))
                                .toList(),
                        FreeNodeCapacity.of(List.of()),
                        Map.of(),
                        List.of(),
                        Map.of(),
                        Set.of(),
                        promised.stream()
                                .collect(Collectors.toMap(
                                        each -> each.head().job(),
                                        each -> new EarlierReservation(
                                                each.shadow().second(), List.of()))));
                final PassDecisions decisions = planner.decide(t);
                assertThat(decisions.started().stream().map(job -> job.job().job()))
                        .as("seed %d, step %d, depth %d", seed, i, depth)
                        .isEqualTo(keys(BackfillPlanner.planOnce(view, policy, t)));
                running.addAll(decisions.started());
                waiting.removeAll(decisions.started());
                promised = decisions.reservations();
                assertThat(planner.idleCores())
                        .isEqualTo(cores
                                - running.stream().mapToInt(PlannedJob::cores).sum());
            }
        }
    }
}
