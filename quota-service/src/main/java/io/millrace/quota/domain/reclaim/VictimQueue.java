package io.millrace.quota.domain.reclaim;

import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.preemption.VictimOrder;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Candidates in the policy's order, each returned once. */
@FunctionalInterface
interface VictimQueue {

    /** @param missing cores still to be freed
     * @return null if there are no more candidates */
    @Nullable
    AllocatedJob next(long missing);

    /** @param comparator that of {@code order} */
    static VictimQueue of(
            final Collection<AllocatedJob> candidates,
            final VictimOrder order,
            final Comparator<AllocatedJob> comparator) {
        if (!order.isFixed()) {
            return new BySize(candidates, comparator);
        }
        final Queue<AllocatedJob> queue = new PriorityQueue<>(Math.max(1, candidates.size()), comparator);
        queue.addAll(candidates);
        return missing -> queue.poll();
    }

    /** The smallest job that alone is enough; if there is none, the largest. */
    final class BySize implements VictimQueue {

        private final TreeMap<Integer, Queue<AllocatedJob>> bySize = new TreeMap<>();

        private BySize(final Collection<AllocatedJob> candidates, final Comparator<AllocatedJob> ofOneSize) {
            candidates.forEach(
                    candidate -> bySize.computeIfAbsent(candidate.cores(), size -> new PriorityQueue<>(ofOneSize))
                            .add(candidate));
        }

        @Override
        public @Nullable AllocatedJob next(final long missing) {
            final Map.Entry<Integer, Queue<AllocatedJob>> sufficient =
                    bySize.ceilingEntry((int) Math.min(missing, Integer.MAX_VALUE));
            final Map.Entry<Integer, Queue<AllocatedJob>> size = sufficient == null ? bySize.lastEntry() : sufficient;
            if (size == null) {
                return null;
            }
            final AllocatedJob next = size.getValue().remove();
            if (size.getValue().isEmpty()) {
                bySize.remove(size.getKey());
            }
            return next;
        }
    }
}
