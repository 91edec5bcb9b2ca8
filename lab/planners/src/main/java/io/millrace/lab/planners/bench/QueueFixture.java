package io.millrace.lab.planners.bench;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.Schedule;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.backfill.domain.plan.BackfillPlanner;
import io.millrace.backfill.domain.plan.JobForecast;
import io.millrace.backfill.domain.plan.QueueForecast;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A full cluster with a long queue, for backfill-service's planner. */
final class QueueFixture {

    private static final ClusterId CLUSTER = ClusterId.of("bench");
    private static final PartitionName PARTITION = PartitionName.of("main");
    private static final long NOW_S = 1_000_000;

    private final QueueSnapshot view;
    private final Schedule schedule;

    QueueFixture(final int queued, final int running) {
        final Random random = new Random(1);
        final List<RunningJob> runs = new ArrayList<>();
        for (int i = 0; i < running; i++) {
            runs.add(new RunningJob(
                    key("r" + i, NOW_S - 5000),
                    Resources.cores(1 + random.nextInt(32)),
                    PARTITION,
                    NOW_S + 1 + random.nextInt(100_000),
                    List.of()));
        }
        final List<QueuedJob> waits = new ArrayList<>();
        // The head job is too wide to start, so that all jobs behind it are candidates for backfill.
        waits.add(job("q", 0, 200, 3600));
        for (int i = 1; i < queued; i++) {
            waits.add(job("q" + i, i, 1 + random.nextInt(64), 60 + random.nextInt(86_400)));
        }
        view = QueueSnapshot.ofCores(48, waits, runs);
        schedule = BackfillPlanner.plan(view, BackfillPolicy.EASY, NOW_S);
    }

    private static QueuedJob job(final String id, final int order, final int cores, final long walltime_s) {
        return QueuedJob.of(
                key(id, NOW_S - 4000 + order / 10),
                Resources.cores(cores),
                PARTITION,
                Duration.ofSeconds(walltime_s),
                0,
                false);
    }

    private static JobKey key(final String id, final long submit_s) {
        return new JobKey(new JobId(CLUSTER, id), Instant.ofEpochSecond(submit_s));
    }

    Schedule plan() {
        return BackfillPlanner.plan(view, BackfillPolicy.EASY, NOW_S);
    }

    List<JobForecast> forecasts() {
        return QueueForecast.of(
                view,
                BackfillPolicy.EASY,
                schedule,
                Map.of(),
                NOW_S,
                schedule.waiting().size());
    }
}
