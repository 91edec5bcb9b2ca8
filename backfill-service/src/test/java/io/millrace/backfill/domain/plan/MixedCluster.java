package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.JobAttributes;
import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.capacity.PartitionLimit;
import io.millrace.backfill.domain.view.TestCluster;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.NodeShare;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A cluster with nodes of different sizes, memory, GPUs, features, two partitions and licences. */
final class MixedCluster {

    static final PartitionName THIN = PartitionName.of("thin");
    static final PartitionName FAT = PartitionName.of("fat");

    final List<NodeObserved> nodes = new ArrayList<>();
    final Map<PartitionName, PartitionLimit> partitions;
    final Map<String, Integer> licences;
    private final Random random;
    private int number;

    MixedCluster(final Random random) {
        this.random = random;
        final int count = 2 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            final Resources total =
                    new Resources(2 + 2 * random.nextInt(4), 1, 8 << random.nextInt(3), random.nextInt(3));
            nodes.add(new NodeObserved(
                    TestCluster.ALPHA,
                    NodeName.of("n" + i),
                    NodeObserved.Availability.UP,
                    total,
                    total,
                    null,
                    random.nextBoolean() ? List.of("ib") : List.of(),
                    i == 0 || i > 1 && random.nextBoolean() ? List.of(THIN) : List.of(FAT, THIN)));
        }
        final int cores = cores();
        partitions = random.nextBoolean()
                ? Map.of()
                : Map.of(THIN, new PartitionLimit(THIN, Math.max(2, cores - 2 - random.nextInt(4))));
        licences = Map.of("ansys", 1 + random.nextInt(3));
    }

    int cores() {
        return nodes.stream().mapToInt(node -> node.total().cores()).sum();
    }

    FreeNodeCapacity empty() {
        return FreeNodeCapacity.of(nodes);
    }

    /** The nodes as an agent observes them while these shares are taken. */
    FreeNodeCapacity with(final Collection<List<NodeShare>> taken) {
        final FreeNodeCapacity room = empty();
        taken.forEach(room::take);
        final List<NodeObserved> seen = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            final NodeObserved node = nodes.get(i);
            final NodeShare free = room.freeOn(i);
            seen.add(new NodeObserved(
                    node.cluster(),
                    node.node(),
                    node.availability(),
                    node.total(),
                    new Resources(free.cores(), 1, free.memoryMib(), free.gpus()),
                    null,
                    node.features(),
                    node.partitions()));
        }
        return FreeNodeCapacity.of(seen);
    }

    /** A random job that fits the empty cluster. */
    QueuedJob job(final long submit_s, final boolean onCountedNodes) {
        QueuedJob job = anyJob(submit_s, onCountedNodes);
        while (!couldRun(job)) {
            job = anyJob(submit_s, onCountedNodes);
        }
        return random.nextInt(3) == 0
                ? job.withOtherPartitions(List.of(job.partition().equals(FAT) ? THIN : FAT))
                : job;
    }

    private boolean couldRun(final QueuedJob job) {
        final PartitionLimit limit = partitions.get(job.partition());
        final List<NodeShare> on = empty().choose(job.demand(), empty());
        return !on.isEmpty()
                && (limit == null || job.cores() <= limit.cores())
                && job.placement().licences().getOrDefault("ansys", 0) <= licences.get("ansys");
    }

    private QueuedJob anyJob(final long submit_s, final boolean onCountedNodes) {
        final int cores = 1 + random.nextInt(cores());
        final int on = onCountedNodes || random.nextBoolean() ? 1 + random.nextInt(Math.min(cores, nodes.size())) : 0;
        final Placement placement = new Placement(
                random.nextInt(5) == 0 ? List.of("ib") : List.of(),
                0,
                random.nextInt(6) == 0,
                List.of(),
                random.nextInt(5) == 0 ? Map.of("ansys", 1) : Map.of());
        return new QueuedJob(
                new JobKey(new JobId(TestCluster.ALPHA, "j" + number++), Instant.ofEpochSecond(submit_s)),
                new Resources(
                        cores, on, random.nextBoolean() ? 1 + random.nextInt(16) : 0, random.nextInt(4) == 0 ? 1 : 0),
                random.nextInt(4) == 0 ? FAT : THIN,
                1 + random.nextInt(60),
                0,
                false,
                JobAttributes.UNKNOWN,
                placement,
                List.of());
    }

    /** Random maintenance windows. */
    MaintenanceWindow window(final long from_s, final long until_s) {
        final List<NodeName> out = List.of(
                nodes.get(random.nextInt(nodes.size())).node(), nodes.getFirst().node());
        return new MaintenanceWindow(
                from_s, until_s, 1, null, out.stream().distinct().toList(), "maintenance");
    }
}
