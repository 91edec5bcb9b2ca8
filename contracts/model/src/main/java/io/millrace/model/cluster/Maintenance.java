package io.millrace.model.cluster;

import io.millrace.model.NodeName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A maintenance window of a cluster. The workload manager starts no job that would still run in it.
 *
 * @param name of the reservation
 * @param until its end, after {@code from}
 * @param nodes the nodes that are out of service, sorted; empty: all
 */
public record Maintenance(String name, Instant from, Instant until, List<NodeName> nodes) {

    public Maintenance {
        nodes = List.copyOf(nodes);
    }

    /** Whether a job that starts at this time and runs for so long would run in the window. */
    public boolean overlaps(final Instant start, final Duration length) {
        return start.isBefore(until) && start.plus(length).isAfter(from);
    }
}
