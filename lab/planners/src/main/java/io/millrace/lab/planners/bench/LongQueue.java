package io.millrace.lab.planners.bench;

import io.millrace.backfill.domain.Promises;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A large cluster with a long queue: one job runs on each node of 64 cores, every twentieth node has idle cores, and the head job is too wide
 * to start, so that all jobs behind it are candidates.
 */
final class LongQueue {

    static final long NOW_S = 1_000_000;

    private static final ClusterId CLUSTER = ClusterId.of("bench");
    private static final PartitionName PARTITION = PartitionName.of("main");
    private static final int CORES_PER_NODE = 64;

    private final QueueSnapshot view;
    private int number;

    /** @param withNodes whether nodes are known, so that each start is placed on some */
    LongQueue(final int queued, final int running, final boolean withNodes) {
        final Random random = new Random(1);
        final List<NodeObserved> nodes = new ArrayList<>();
        final List<RunningJob> runs = new ArrayList<>();
        int idle = 0;
        for (int i = 0; i < running; i++) {
            final NodeName node = NodeName.of("n" + i);
            final int busy = i % 20 == 0 ? CORES_PER_NODE - 1 - random.nextInt(32) : CORES_PER_NODE;
            idle += CORES_PER_NODE - busy;
            nodes.add(new NodeObserved(
                    CLUSTER,
                    node,
                    NodeObserved.Availability.UP,
                    Resources.cores(CORES_PER_NODE),
                    Resources.cores(CORES_PER_NODE - busy),
                    null,
                    List.of(),
                    List.of()));
            runs.add(new RunningJob(
                    key("r" + i, NOW_S - 5000),
                    Resources.cores(busy),
                    PARTITION,
                    NOW_S + 1 + random.nextInt(100_000),
                    withNodes ? List.of(node) : List.of()));
        }
        final List<QueuedJob> waits = new ArrayList<>(queued);
        waits.add(job(idle + CORES_PER_NODE * (running / 4), 86_400, random, false));
        while (waits.size() < queued) {
            waits.add(job(1 + random.nextInt(64), 3600L * (1 + random.nextInt(96)), random, withNodes));
        }
        view = new QueueSnapshot(
                idle,
                waits,
                runs,
                FreeNodeCapacity.of(withNodes ? nodes : List.of()),
                Map.of(),
                List.of(),
                Map.of(),
                Promises.NONE);
    }

    private QueuedJob job(final int cores, final long walltime_s, final Random random, final boolean onOneNode) {
        final int order = number++;
        return QueuedJob.of(
                key("q" + order, NOW_S - 4000 + order / 100),
                new Resources(cores, onOneNode && random.nextBoolean() ? 1 : 0, 0, 0),
                PARTITION,
                Duration.ofSeconds(walltime_s),
                0,
                false);
    }

    private static JobKey key(final String id, final long submit_s) {
        return new JobKey(new JobId(CLUSTER, id), Instant.ofEpochSecond(submit_s));
    }

    QueueSnapshot view() {
        return view;
    }
}
