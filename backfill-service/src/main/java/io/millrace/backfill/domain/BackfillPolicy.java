package io.millrace.backfill.domain;

import org.jspecify.annotations.Nullable;

/**
 * The knobs in which scheduling policies differ.
 *
 * @param order who comes first
 * @param candidates in which order the jobs behind the reservations are tried
 * @param estimate from what run times are foreseen
 * @param reservations how many jobs that cannot start hold a reservation which nobody who overtakes may delay: 0 is strict first come,
 *     first served (nobody overtakes), 1 is EASY, {@link #ALL} conservative backfill
 * @param keepsHead the job that holds the first reservation keeps it until it starts, whoever comes before it in an order that moves; so
 *     promise 5 holds in every order
 * @param cutting the knobs of checkpoint backfill; null: nothing is shrunk, nothing is cut
 */
public record BackfillPolicy(
        Order order,
        Order candidates,
        Estimate estimate,
        int reservations,
        boolean keepsHead,
        @Nullable Cutting cutting) {

    public static final int ALL = Integer.MAX_VALUE;

    public static final BackfillPolicy STRICT_FCFS = new BackfillPolicy(Order.FCFS, 0);
    public static final BackfillPolicy EASY_FCFS = new BackfillPolicy(Order.FCFS, 1);
    public static final BackfillPolicy EASY = new BackfillPolicy(Order.PRIORITY, 1);
    public static final BackfillPolicy CONSERVATIVE_FCFS = new BackfillPolicy(Order.FCFS, ALL);
    public static final BackfillPolicy CHECKPOINT_FCFS =
            EASY_FCFS.keepsHead(true).cutting(Cutting.PUBLISHED);

    public BackfillPolicy {
        if (reservations < 0) {
            throw new IllegalArgumentException(
                    "reservations must be 0 (strict order), 1 (EASY), a number above, or all; got " + reservations);
        }
        if (cutting != null && reservations != 1) {
            throw new IllegalArgumentException(
                    "checkpoint backfill holds 1 reservation, that of the head job; got " + reservations);
        }
    }

    public BackfillPolicy(final Order order, final int reservations) {
        this(order, order, Estimate.REQUESTED, reservations, false, null);
    }

    public BackfillPolicy order(final Order other) {
        return new BackfillPolicy(other, candidates, estimate, reservations, keepsHead, cutting);
    }

    public BackfillPolicy candidates(final Order other) {
        return new BackfillPolicy(order, other, estimate, reservations, keepsHead, cutting);
    }

    public BackfillPolicy estimate(final Estimate other) {
        return new BackfillPolicy(order, candidates, other, reservations, keepsHead, cutting);
    }

    public BackfillPolicy reservations(final int depth) {
        return new BackfillPolicy(order, candidates, estimate, depth, keepsHead, cutting);
    }

    public BackfillPolicy cutting(final @Nullable Cutting other) {
        return new BackfillPolicy(order, candidates, estimate, reservations, keepsHead, other);
    }

    public BackfillPolicy keepsHead(final boolean keeps) {
        return new BackfillPolicy(order, candidates, estimate, reservations, keeps, cutting);
    }
}
