package io.millrace.backfill.domain;

import io.millrace.model.NodeName;
import io.millrace.model.view.PlacementRequest;
import io.millrace.model.view.NodeRequirement;
import io.millrace.model.view.FreeNodeCapacity;
import io.millrace.model.view.Nodes;
import io.millrace.model.view.NodeShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What is free on each node from now on: who reserves room has it on certain nodes, for all of its run. */
final class NodeCalendar {

    private final Nodes nodes;
    private final NodeTimes[] times;

    /** @param now what is free now; whoever runs is given back to it, and takes his room until his end */
    NodeCalendar(final FreeNodeCapacity now) {
        nodes = now.nodes();
        times = new NodeTimes[nodes.count()];
        for (int node = 0; node < times.length; node++) {
            times[node] = new NodeTimes(nodes.cores(node), now.freeOn(node));
        }
    }

    void take(final List<NodeShare> shares, final long from_s, final long until_s) {
        shares.forEach(share -> times[share.node()].take(share, 1, from_s, until_s));
    }

    void giveBack(final List<NodeShare> shares, final long from_s, final long until_s) {
        shares.forEach(share -> times[share.node()].take(share, -1, from_s, until_s));
    }

    /** Withholds whole nodes. */
    void close(final int node, final long from_s, final long until_s) {
        final NodeShare all = new NodeShare(node, nodes.cores(node), nodes.memoryMib(node), nodes.gpus(node));
        times[node].take(all, 1, from_s, until_s);
    }

    void forgetUntil(final long time_s) {
        for (final NodeTimes node : times) {
            node.forgetUntil(time_s);
        }
    }

    /** The earliest time from there on at which its nodes are free together for so long; {@link ShadowTime#NEVER} if there is none. */
    long earliest(final PlacementRequest job, final long from_s, final long length_s) {
        final NodeRequirement part = nodes.part(job);
        if (part.isSpreadable()) {
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
            // Before so many nodes can begin, the job cannot.
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
        if (asksNothingOf(job)) {
            return from_s;
        }
        long at_s = from_s;
        while (at_s < ShadowTime.NEVER && choose(job, at_s, length_s).isEmpty()) {
            long next_s = ShadowTime.NEVER;
            for (final int node : nodes.eligible(job)) {
                next_s = Math.min(next_s, times[node].nextMore(at_s));
            }
            at_s = next_s;
        }
        return at_s;
    }

    boolean asksNothingOf(final PlacementRequest job) {
        return nodes.isWiderThanAll(job);
    }

    List<NodeName> names(final List<NodeShare> on) {
        return on.stream().map(share -> nodes.name(share.node())).toList();
    }

    List<NodeShare> shares(final PlacementRequest job, final List<NodeName> on) {
        return nodes.shares(job, on);
    }

    /** Whether these shares are free for all of that time, of nodes that may have the job. */
    boolean has(final PlacementRequest job, final List<NodeShare> shares, final long from_s, final long length_s) {
        final NodeRequirement part = nodes.part(job);
        final long until_s = ShadowTime.after(from_s, length_s);
        return shares.stream().allMatch(share -> {
            final NodeShare least = times[share.node()].least(share.node(), from_s, until_s);
            return least.cores() >= share.cores()
                    && least.memoryMib() >= share.memoryMib()
                    && least.gpus() >= share.gpus()
                    && (!part.whole() || least.cores() == nodes.cores(share.node()));
        });
    }

    /** Where it has room for all of that time, on the nodes that are fullest then; empty if it has none. */
    List<NodeShare> choose(final PlacementRequest job, final long from_s, final long length_s) {
        final NodeRequirement part = nodes.part(job);
        final long until_s = ShadowTime.after(from_s, length_s);
        final List<NodeShare> free = new ArrayList<>();
        for (final int node : nodes.eligible(job)) {
            if (times[node].fits(part, from_s, until_s)) {
                free.add(times[node].least(node, from_s, until_s));
            }
        }
        return nodes.choose(job, free);
    }
}
