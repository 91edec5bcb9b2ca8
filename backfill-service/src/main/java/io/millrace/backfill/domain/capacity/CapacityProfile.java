package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Run;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.decide.NodeShare;
import io.millrace.decide.Nodes;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Free capacity over time: cores of the cluster and of each partition with a limit, tokens of each licence, and, where nodes are known,
 * the cores, memory and GPUs of each node.
 */
public final class CapacityProfile {

    private final AvailabilityProfile cluster;
    private final Map<PartitionName, AvailabilityProfile> partitions = new HashMap<>();
    private final Map<String, AvailabilityProfile> licences = new HashMap<>();
    private final @Nullable NodeProfiles nodes;
    /** Whether only the cores of the cluster count. */
    private final boolean coresAlone;

    /** @param running the running jobs of the snapshot with their shares of nodes, which they keep until their expected ends */
    public CapacityProfile(final QueueSnapshot view, final Collection<Run> running) {
        cluster = new AvailabilityProfile(view.idleCores()
                + running.stream()
                        .mapToInt(job -> job.job().coresTaken(job.shares()))
                        .sum());
        view.partitions()
                .values()
                .forEach(limit -> partitions.put(limit.partition(), new AvailabilityProfile(limit.cores())));
        view.licences().forEach((name, free) -> {
            final int inUse =
                    running.stream().mapToInt(job -> tokens(job.job(), name)).sum();
            licences.put(name, new AvailabilityProfile(free + inUse));
        });
        nodes = view.nodes().isEmpty() ? null : new NodeProfiles(view.nodes());
        coresAlone = nodes == null && partitions.isEmpty() && licences.isEmpty();
        for (final Run job : running) {
            takeCounted(job.job(), job.shares(), Long.MIN_VALUE / 4, job.end_s(), 1);
            if (nodes != null) {
                nodes.release(job.shares(), job.end_s(), ShadowTime.NEVER);
            }
        }
        view.windows().forEach(window -> withhold(window, view.nodes().nodes()));
    }

    /** Closes the nodes of a window, so that a job that still runs there is not counted twice; without nodes, takes the cores. */
    private void withhold(final MaintenanceWindow window, final Nodes known) {
        final List<Integer> closed = window.closedNodes(known);
        if (nodes != null && !closed.isEmpty()) {
            closed.forEach(node -> nodes.close(node, window.from_s(), window.until_s()));
            return;
        }
        cluster.take(window.from_s(), window.until_s(), window.cores());
        final AvailabilityProfile limited = window.partition() == null ? null : partitions.get(window.partition());
        if (limited != null) {
            limited.take(window.from_s(), window.until_s(), window.cores());
        }
    }

    public AvailabilityProfile cluster() {
        return cluster;
    }

    private @Nullable AvailabilityProfile limited(final QueuedJob job) {
        return partitions.isEmpty() ? null : partitions.get(job.partition());
    }

    private static int tokens(final QueuedJob job, final String licence) {
        return job.placement().licences().getOrDefault(licence, 0);
    }

    /** @param on its shares of nodes */
    public void take(final QueuedJob job, final List<NodeShare> on, final long from_s, final long until_s) {
        takeCounted(job, on, from_s, until_s, 1);
        if (nodes != null) {
            nodes.take(on, from_s, until_s);
        }
    }

    public void release(final QueuedJob job, final List<NodeShare> on, final long from_s, final long until_s) {
        takeCounted(job, on, from_s, until_s, -1);
        if (nodes != null) {
            nodes.release(on, from_s, until_s);
        }
    }

    /** Takes everything that is counted for the cluster as a whole. */
    private void takeCounted(
            final QueuedJob job, final List<NodeShare> on, final long from_s, final long until_s, final int sign) {
        cluster.take(from_s, until_s, sign * job.coresTaken(on));
        if (coresAlone) {
            return;
        }
        final AvailabilityProfile limited = limited(job);
        if (limited != null) {
            limited.take(from_s, until_s, sign * job.cores());
        }
        licences.forEach((name, tokens) -> tokens.take(from_s, until_s, sign * tokens(job, name)));
    }

    /** Its shares of nodes if it fits from that time for this length, empty if any node will do; null if it does not fit. */
    @Nullable
    public List<NodeShare> sharesAt(final QueuedJob job, final long from_s, final long length_s) {
        return fitsCounted(job, from_s, length_s) ? onNodes(job, from_s, length_s) : null;
    }

    /** As above, on the preferred shares if they are free. */
    @Nullable
    public List<NodeShare> sharesAt(
            final QueuedJob job, final List<NodeShare> preferred, final long from_s, final long length_s) {
        if (!fitsCounted(job, from_s, length_s)) {
            return null;
        }
        final boolean free =
                nodes != null && !preferred.isEmpty() && nodes.areFree(job.demand(), preferred, from_s, length_s);
        return free ? preferred : onNodes(job, from_s, length_s);
    }

    /** Its shares of these nodes; empty if any node will do or the shares cannot be determined. */
    public List<NodeShare> shares(final QueuedJob job, final List<NodeName> on) {
        return nodes == null ? List.of() : nodes.shares(job.demand(), on);
    }

    /** Its shares of nodes at a time at which it fits; empty if any node will do or that time is {@link ShadowTime#NEVER}. */
    public List<NodeShare> nodesFor(final QueuedJob job, final long at_s, final long length_s) {
        return nodes == null || at_s >= ShadowTime.NEVER ? List.of() : nodes.choose(job.demand(), at_s, length_s);
    }

    private @Nullable List<NodeShare> onNodes(final QueuedJob job, final long from_s, final long length_s) {
        if (nodes == null || nodes.needsNoNode(job.demand())) {
            return List.of();
        }
        final List<NodeShare> chosen = nodes.choose(job.demand(), from_s, length_s);
        return chosen.isEmpty() ? null : chosen;
    }

    private boolean fitsCounted(final QueuedJob job, final long from_s, final long length_s) {
        final AvailabilityProfile limited = limited(job);
        return cluster.fits(from_s, length_s, job.cores())
                && (limited == null || limited.fits(from_s, length_s, job.cores()))
                && job.placement().licences().entrySet().stream()
                        .allMatch(want -> !licences.containsKey(want.getKey())
                                || licences.get(want.getKey()).fits(from_s, length_s, want.getValue()));
    }

    /** The earliest time, not before {@code from_s}, at which it fits; {@link ShadowTime#NEVER} if there is none. */
    public long earliest(final QueuedJob job, final long from_s, final long length_s) {
        long at_s = cluster.earliest(from_s, length_s, job.cores());
        if (coresAlone) {
            return at_s;
        }
        while (at_s < ShadowTime.NEVER) {
            final long elsewhere_s = earliestElsewhere(job, at_s, length_s);
            if (elsewhere_s == at_s) {
                return at_s;
            }
            at_s = elsewhere_s < ShadowTime.NEVER
                    ? cluster.earliest(elsewhere_s, length_s, job.cores())
                    : ShadowTime.NEVER;
        }
        return ShadowTime.NEVER;
    }

    private long earliestElsewhere(final QueuedJob job, final long from_s, final long length_s) {
        long at_s = from_s;
        final AvailabilityProfile limited = limited(job);
        if (limited != null && at_s < ShadowTime.NEVER) {
            at_s = limited.earliest(at_s, length_s, job.cores());
        }
        for (final Map.Entry<String, AvailabilityProfile> licence : licences.entrySet()) {
            if (at_s < ShadowTime.NEVER) {
                at_s = licence.getValue().earliest(at_s, length_s, tokens(job, licence.getKey()));
            }
        }
        return nodes == null || at_s >= ShadowTime.NEVER ? at_s : nodes.earliest(job.demand(), at_s, length_s);
    }

    public void forgetUntil(final long time_s) {
        cluster.forgetUntil(time_s);
        partitions.values().forEach(profile -> profile.forgetUntil(time_s));
        licences.values().forEach(profile -> profile.forgetUntil(time_s));
        if (nodes != null) {
            nodes.forgetUntil(time_s);
        }
    }

    public void addCores(final long from_s, final int cores) {
        cluster.addFrom(from_s, cores);
    }

    public List<NodeName> nodeNames(final List<NodeShare> on) {
        return nodes == null || on.isEmpty() ? List.of() : nodes.names(on);
    }
}
