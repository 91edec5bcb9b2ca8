package io.millrace.backfill.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.JobOrder;
import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.view.TestCluster;
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
import org.junit.jupiter.api.Test;

/** The planner starts the same jobs as the naive planner at every depth. */
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
                Promises.NONE);
    }

    @Test
    void starts_the_same_jobs_as_the_naive_planner_at_every_depth() {
        int starts = 0;
        for (long seed = 1; seed <= 400; seed++) {
            final Random random = new Random(seed);
            final QueueSnapshot view = view(random, 5000, false);
            for (final int depth : new int[] {0, 1, 2, 5, BackfillPolicy.ALL}) {
                final List<JobKey> expected =
                        new NaivePlanner(view, 5000, 4000).starts(List.copyOf(view.queued()), depth, FCFS, FCFS);
                assertThat(keys(BackfillPlanner.plan(view, new BackfillPolicy(JobOrder.FCFS, depth), 5000)))
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
                assertThat(keys(BackfillPlanner.plan(
                                view, new BackfillPolicy(JobOrder.FCFS, depth).candidates(JobOrder.SJF), 5000)))
                        .as("seed %d, depth %d", seed, depth)
                        .isEqualTo(new NaivePlanner(view, 5000, 4000)
                                .starts(List.copyOf(view.queued()), depth, FCFS, SHORTEST));
            }
        }
    }

    @Test
    void starts_nothing_that_would_run_into_a_maintenance_window() {
        int kept = 0;
        for (long seed = 1; seed <= 200; seed++) {
            final QueueSnapshot view = view(new Random(seed), 5000, true);
            for (final int depth : new int[] {1, 4, BackfillPolicy.ALL}) {
                final Schedule schedule = BackfillPlanner.plan(view, new BackfillPolicy(JobOrder.FCFS, depth), 5000);
                assertThat(keys(schedule))
                        .as("seed %d, depth %d", seed, depth)
                        .isEqualTo(new NaivePlanner(view, 5000, 4000)
                                .starts(List.copyOf(view.queued()), depth, FCFS, FCFS));
                kept += schedule.waiting().size();
            }
        }
        assertThat(kept).isGreaterThan(1000);
    }

    private static List<JobKey> keys(final Schedule schedule) {
        return schedule.starts().stream().map(start -> start.job().job()).toList();
    }
}
