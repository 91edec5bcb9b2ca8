package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * All who may be taken on a cluster, in a fixed order: sorted once for a whole plan. Who can give nothing any more is dropped when met, so that a thousand
 * reclaims cost little more than one.
 */
final class Lineup {

    private final List<Occupant> inOrder;
    private final Predicate<Occupant> canGive;
    private final Set<JobKey> taken = new HashSet<>();

    /** @param canGive whether the owner could spare the job if nobody else were taken; once false, it stays so within a plan */
    Lineup(final List<Occupant> candidates, final Comparator<Occupant> order, final Predicate<Occupant> canGive) {
        final List<Occupant> sorted = new ArrayList<>(candidates);
        sorted.sort(order);
        this.inOrder = new LinkedList<>(sorted);
        this.canGive = canGive;
    }

    void take(final Occupant victim) {
        taken.add(victim.job());
    }

    /**
     * The line as it stands before this user, from its beginning.
     *
     * @param isOfUse whether what a job frees may be
     */
    VictimQueue before(final UserName beneficiary, final Predicate<Occupant> isOfUse) {
        final Iterator<Occupant> turn = inOrder.iterator();
        return missing -> next(turn, beneficiary, isOfUse);
    }

    private @Nullable Occupant next(
            final Iterator<Occupant> turn, final UserName beneficiary, final Predicate<Occupant> isOfUse) {
        while (turn.hasNext()) {
            final Occupant next = turn.next();
            if (taken.contains(next.job()) || !canGive.test(next)) {
                turn.remove();
            } else if (!next.owner().equals(beneficiary) && isOfUse.test(next)) {
                return next;
            }
        }
        return null;
    }
}
