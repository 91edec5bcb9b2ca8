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
 * All who may be taken on a cluster, in a fixed order, for a whole plan. Only as much of the line is put in order as somebody has walked along, and who
 * can give nothing any more is dropped when met: one reclaim costs a look at each candidate, and a thousand little more.
 */
final class VictimCandidates {

    private final List<AllocatedJob> inOrder = new LinkedList<>();
    private final Queue<AllocatedJob> rest;
    private final Predicate<AllocatedJob> canGive;
    private final Set<JobKey> taken = new HashSet<>();

    /** @param canGive whether the owner could spare the job if nobody else were taken; once false, it stays so within a plan */
    VictimCandidates(
            final List<AllocatedJob> candidates,
            final Comparator<AllocatedJob> order,
            final Predicate<AllocatedJob> canGive) {
        this.rest = new PriorityQueue<>(Math.max(1, candidates.size()), order);
        rest.addAll(candidates);
        this.canGive = canGive;
    }

    void remove(final AllocatedJob victim) {
        taken.add(victim.job());
    }

    /**
     * The line as it stands before this user, from its beginning.
     *
     * @param isOfUse whether what a job frees may be
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
        return taken.contains(candidate.job()) || !canGive.test(candidate);
    }
}
