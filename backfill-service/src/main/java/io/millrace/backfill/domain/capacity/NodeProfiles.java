package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.ShadowTime;
import io.millrace.decide.FreeNodeCapacity;
import io.millrace.decide.NodeRequirement;
import io.millrace.decide.NodeShare;
import io.millrace.decide.Nodes;
import io.millrace.decide.PlacementRequest;
import io.millrace.model.NodeName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Free capacity of each node over time. A reservation takes shares of certain nodes for the whole run. */
final class NodeProfiles {

    private final Nodes nodes;
    private final NodeProfile[] times;

    /** @param now what is free now; the shares of running jobs are released at their expected ends */
    NodeProfiles(final FreeNodeCapacity now) {
        nodes = now.nodes();
        times = new NodeProfile[nodes.count()];
        for (int node = 0; node < times.length; node++) {
            times[node] = new NodeProfile(nodes.cores(node), now.freeOn(node));
        }
    }

    void take(final List<NodeShare> shares, final long from_s, final long until_s) {
        shares.forEach(share -> times[share.node()].take(share, 1, from_s, until_s));
    }

    void release(final List<NodeShare> shares, final long from_s, final long until_s) {
        shares.forEach(share -> times[share.node()].take(share, -1, from_s, until_s));
    }

    /** Withholds a whole node. */
    void close(final int node, final long from_s, final long until_s) {
        final NodeShare all = new NodeShare(node, nodes.cores(node), nodes.memoryMib(node), nodes.gpus(node));
        times[node].take(all, 1, from_s, until_s);
    }

    void forgetUntil(final long time_s) {
        for (final NodeProfile node : times) {
            node.forgetUntil(time_s);
        }
    }

    /** The earliest time, not before {@code from_s}, at which enough nodes are free together; {@link ShadowTime#NEVER} if there is none. */
    long earliest(final PlacementRequest job, final long from_s, final long length_s) {
        final NodeRequirement part = nodes.part(job);
        if (part.isSpreadable() || nodes.areFilled()) {
            return earliestAnywhere(job, from_s, length_s);
        }
        final int[] eligible = nodes.eligible(job);
        if (eligible.length < part.nodes()) {
            return ShadowTime.NEVER;
        }
        final long[] earliest_s = new long[eligible.length];
        long at_s = from_s;
        while (at_s < ShadowTime.NEVER) {
            for (int i = 0; i < earliest_s.length; i++) {
                earliest_s[i] = times[eligible[i]].earliest(part, at_s, length_s);
            }
            // The job cannot start before its last node is free.
            Arrays.sort(earliest_s);
            final long atBest_s = earliest_s[part.nodes() - 1];
            if (atBest_s == at_s) {
                return at_s;
            }
            at_s = atBest_s;
        }
        return ShadowTime.NEVER;
    }

    private long earliestAnywhere(final PlacementRequest job, final long from_s, final long length_s) {
        if (needsNoNode(job)) {
            return from_s;
        }
        long at_s = from_s;
        while (at_s < ShadowTime.NEVER && choose(job, at_s, length_s).isEmpty()) {
            long next_s = ShadowTime.NEVER;
            for (final int node : nodes.eligible(job)) {
                next_s = Math.min(next_s, times[node].nextRelease(at_s));
            }
            at_s = next_s;
        }
        return at_s;
    }

    boolean needsNoNode(final PlacementRequest job) {
        return nodes.isWiderThanAll(job);
    }

    List<NodeName> names(final List<NodeShare> on) {
        return on.stream().map(share -> nodes.name(share.node())).toList();
    }

    List<NodeShare> shares(final PlacementRequest job, final List<NodeName> on) {
        return nodes.shares(job, on);
    }

    /** Whether these shares are free for the whole length. */
    boolean areFree(final PlacementRequest job, final List<NodeShare> shares, final long from_s, final long length_s) {
        final NodeRequirement part = nodes.part(job);
        final long until_s = ShadowTime.after(from_s, length_s);
        return shares.stream().allMatch(share -> {
            final NodeShare least = times[share.node()].leastFree(share.node(), from_s, until_s);
            return least.cores() >= share.cores()
                    && least.memoryMib() >= share.memoryMib()
                    && least.gpus() >= share.gpus()
                    && (!part.whole() || least.cores() == nodes.cores(share.node()));
        });
    }

    /** Shares of the fullest nodes on which it fits for the whole length; empty if it does not fit. */
    List<NodeShare> choose(final PlacementRequest job, final long from_s, final long length_s) {
        final NodeRequirement part = nodes.part(job);
        final long until_s = ShadowTime.after(from_s, length_s);
        final List<NodeShare> free = new ArrayList<>();
        for (final int node : nodes.eligible(job)) {
            if (times[node].fits(part, from_s, until_s)) {
                free.add(times[node].leastFree(node, from_s, until_s));
            }
        }
        return nodes.choose(job, free);
    }
}
