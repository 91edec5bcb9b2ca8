package io.millrace.quota.domain.reclaim;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.quota.domain.preemption.AllocatedJob;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All jobs of a cluster that can be preempted, in a fixed order, for a whole plan. The list is sorted only as far as it is read, and
 * candidates that can no longer be preempted are removed when they are read, so that a thousand reclaims cost little more than one.
 */
final class VictimCandidates {

    private final List<AllocatedJob> inOrder = new LinkedList<>();
    private final Queue<AllocatedJob> rest;
    private final Predicate<AllocatedJob> canBePreempted;
    private final Set<JobKey> taken = new HashSet<>();

    /** @param canBePreempted whether the job alone could be preempted; once false, it stays false within a plan */
    VictimCandidates(
            final List<AllocatedJob> candidates,
            final Comparator<AllocatedJob> order,
            final Predicate<AllocatedJob> canBePreempted) {
        this.rest = new PriorityQueue<>(Math.max(1, candidates.size()), order);
        rest.addAll(candidates);
        this.canBePreempted = canBePreempted;
    }

    void remove(final AllocatedJob victim) {
        taken.add(victim.job());
    }

    /**
     * The candidates for this beneficiary, from the beginning.
     *
     * @param isOfUse whether preempting the job can help
     */
    VictimQueue queueFor(final UserName beneficiary, final Predicate<AllocatedJob> isOfUse) {
        final ListIterator<AllocatedJob> turn = inOrder.listIterator();
        final Predicate<AllocatedJob> mayGo =
                candidate -> !candidate.owner().equals(beneficiary) && isOfUse.test(candidate);
        return missing -> next(turn, mayGo);
    }

    private @Nullable AllocatedJob next(final ListIterator<AllocatedJob> turn, final Predicate<AllocatedJob> mayGo) {
        while (turn.hasNext()) {
            final AllocatedJob next = turn.next();
            if (isGone(next)) {
                turn.remove();
            } else if (mayGo.test(next)) {
                return next;
            }
        }
        for (AllocatedJob next = rest.poll(); next != null; next = rest.poll()) {
            if (!isGone(next)) {
                turn.add(next);
                if (mayGo.test(next)) {
                    return next;
                }
            }
        }
        return null;
    }

    private boolean isGone(final AllocatedJob candidate) {
        return taken.contains(candidate.job()) || !canBePreempted.test(candidate);
    }
}
