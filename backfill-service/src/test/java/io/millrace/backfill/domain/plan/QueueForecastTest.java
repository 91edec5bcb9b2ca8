package io.millrace.backfill.domain.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.capacity.PartitionLimit;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.view.TestCluster;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Forecasts agree with a simulation second by second. */
class QueueForecastTest {

    private static final PartitionName SMALL = PartitionName.of("small");
    private static final int CORES = 16;
    private static final int OF_SMALL = 6;
    private static final int HORIZON_S = 20_000;
    private static final long NOW_S = 1000;

    private static QueuedJob job(final Random random, final String name) {
        return new QueuedJob(
                new JobKey(new JobId(TestCluster.ALPHA, name), Instant.ofEpochSecond(random.nextInt(900))),
                Resources.cores(1 + random.nextInt(random.nextInt(5) == 0 ? CORES : 6)),
                random.nextInt(3) == 0 ? SMALL : TestCluster.MAIN,
                random.nextInt(12) == 0 ? ShadowTime.NEVER : 1 + random.nextInt(100),
                0,
                false,
                JobAttributes.UNKNOWN,
                Placement.ANYWHERE,
                List.of());
    }

    private static QueueSnapshot view(final Random random) {
        final List<RunningJob> running = new ArrayList<>();
        int idle = CORES;
        int idleOfSmall = OF_SMALL;
        for (int i = 0; i < 6; i++) {
            final QueuedJob job = job(random, "r" + i);
            final boolean small = job.partition().equals(SMALL);
            if (job.cores() <= idle && (!small || job.cores() <= idleOfSmall)) {
                idle -= job.cores();
                idleOfSmall -= small ? job.cores() : 0;
                final long end_s = job.endIfStartedAt(NOW_S - 20);
                running.add(new RunningJob(job.job(), job.resources(), job.partition(), end_s, List.of()));
            }
        }
        final List<QueuedJob> queued = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            queued.add(job(random, "q" + i));
        }
        final PartitionLimit limit = new PartitionLimit(SMALL, OF_SMALL);
        return new QueueSnapshot(
                idle,
                queued,
                running,
                FreeNodeCapacity.of(List.of()),
                Map.of(SMALL, limit),
                List.of(),
                Map.of(),
                Promises.NONE);
    }

    @Test
    void predicted_starts_are_those_of_a_queue_that_runs_in_order() {
        for (long seed = 0; seed < 20; seed++) {
            final QueueSnapshot view = view(new Random(seed));
            final Schedule schedule = BackfillPlanner.plan(view, BackfillPolicy.EASY, NOW_S);
            assertThat(QueueForecast.of(
                            view,
                            BackfillPolicy.EASY,
                            schedule,
                            Map.of(),
                            NOW_S,
                            schedule.waiting().size()))
                    .as("seed %d", seed)
                    .extracting(JobForecast::start)
                    .containsExactlyElementsOf(new Walk(view, schedule).starts());
        }
    }

    /** Free cores per second, of the cluster and of the small partition. */
    private static final class Walk {
        private final int[] free = new int[HORIZON_S];
        private final int[] ofSmall = new int[HORIZON_S];
        private final Schedule schedule;
        private long from_s = NOW_S;

        Walk(final QueueSnapshot view, final Schedule schedule) {
            this.schedule = schedule;
            for (int i = 0; i < HORIZON_S; i++) {
                free[i] = CORES;
                ofSmall[i] = OF_SMALL;
            }
            view.running().forEach(job -> take(job.cores(), job.partition(), NOW_S, job.endSeenFrom(NOW_S)));
            schedule.starts()
                    .forEach(start -> take(
                            start.job().cores(),
                            start.job().partition(),
                            NOW_S,
                            start.job().endIfStartedAt(NOW_S)));
        }

        private void take(final int cores, final PartitionName of, final long begin_s, final long end_s) {
            for (long t = begin_s - NOW_S; t < Math.min(HORIZON_S, end_s - NOW_S); t++) {
                free[(int) t] -= cores;
                ofSmall[(int) t] -= of.equals(SMALL) ? cores : 0;
            }
        }

        List<@Nullable ShadowTime> starts() {
            final List<@Nullable ShadowTime> starts = new ArrayList<>();
            schedule.waiting().forEach(waiting -> starts.add(start(waiting.job())));
            return starts;
        }

        private @Nullable ShadowTime start(final QueuedJob job) {
            final Reservation head = schedule.reservation();
            final long own_s =
                    head != null && head.head() == job ? head.shadow().second() : 0;
            for (long t = from_s; t < NOW_S + HORIZON_S; t++) {
                if (fits(job, (int) (t - NOW_S))) {
                    from_s = Math.max(t, own_s >= ShadowTime.NEVER ? 0 : own_s);
                    take(job.cores(), job.partition(), from_s, job.endIfStartedAt(from_s));
                    return own_s == 0
                            ? new ShadowTime(from_s)
                            : own_s >= ShadowTime.NEVER ? null : new ShadowTime(own_s);
                }
            }
            return null;
        }

        private boolean fits(final QueuedJob job, final int at) {
            return job.cores() <= free[at] && (!job.partition().equals(SMALL) || job.cores() <= ofSmall[at]);
        }
    }
}
