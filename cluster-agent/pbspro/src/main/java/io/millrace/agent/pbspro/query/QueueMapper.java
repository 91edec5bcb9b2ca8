package io.millrace.agent.pbspro.query;

import io.millrace.agent.pbs.AccessLists;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps queues to partitions. Queues of reservations are omitted. */
final class QueueMapper {

    private final ClusterId cluster;
    private final List<PbsObject> queues;
    private final PbsObject server;
    private final List<PbsObject> nodes;

    QueueMapper(
            final ClusterId cluster,
            final List<PbsObject> queues,
            final PbsObject server,
            final List<PbsObject> nodes) {
        this.cluster = cluster;
        this.queues = queues.stream()
                .filter(queue -> !PbsJob.isReservationQueue(queue.name()))
                .toList();
        this.server = server;
        this.nodes = nodes;
    }

    List<PartitionObserved> partitions() {
        return queues.stream().map(this::partition).toList();
    }

    /** Queues without nodes of their own. They share the nodes that are not assigned to a queue. */
    List<PartitionName> shared() {
        return queues.stream()
                .filter(queue -> own(queue).isEmpty())
                .map(queue -> PartitionName.of(queue.name()))
                .sorted()
                .toList();
    }

    private List<PbsObject> own(final PbsObject queue) {
        return nodes.stream()
                .filter(node -> node.get("queue", "").equals(queue.name()))
                .toList();
    }

    private PartitionObserved partition(final PbsObject queue) {
        final List<PbsObject> own = own(queue);
        final int cores = (own.isEmpty()
                        ? nodes.stream().filter(node -> node.get("queue", "").isEmpty())
                        : own.stream())
                .mapToInt(NodeMapper::cores)
                .sum();
        final boolean enabled = queue.is("enabled");
        return new PartitionObserved(
                cluster,
                PartitionName.of(queue.name()),
                enabled && queue.is("started"),
                queue.name().equals(server.get("default_queue", "")),
                cores,
                limit(queue, "resources_max.walltime"),
                new PartitionLimits(
                        enabled,
                        (int) queue.number("resources_min.nodect", 0),
                        number(queue, "resources_max.nodect"),
                        number(queue, "resources_max.ncpus"),
                        limit(queue, "resources_default.walltime")),
                AccessLists.of(queue, true));
    }

    /** The limit of the queue, or else of the server. */
    private @Nullable Duration limit(final PbsObject queue, final String name) {
        return PbsDuration.read(queue.get(name, server.get(name, "")));
    }

    private @Nullable Integer number(final PbsObject queue, final String name) {
        final long number = queue.number(name, server.number(name, -1));
        return number < 0 ? null : (int) number;
    }
}
