package io.millrace.backfill.domain;

import io.millrace.backfill.domain.capacity.QueueSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * The settings in which scheduling policies differ.
 *
 * @param order in which jobs are considered
 * @param candidates the order in which jobs behind the reservations are tried
 * @param estimate the source of run time estimates
 * @param reservations how many jobs that cannot start hold a reservation that no backfilled job may delay: 0 is strict order without
 *     backfill, 1 is EASY, {@link #ALL} is conservative backfill
 * @param keepsHead whether the job that holds the first reservation keeps it until it starts, even if the order changes; so promise 5
 *     holds in every order
 * @param preemption the settings of checkpoint backfill; null: no job is shrunk or preempted
 */
public record BackfillPolicy(
        JobOrder order,
        JobOrder candidates,
        Estimate estimate,
        int reservations,
        boolean keepsHead,
        @Nullable CheckpointPreemptionPolicy preemption) {

    public static final int ALL = Integer.MAX_VALUE;

    public static final BackfillPolicy STRICT_FCFS = new BackfillPolicy(JobOrder.FCFS, 0);
    public static final BackfillPolicy EASY_FCFS = new BackfillPolicy(JobOrder.FCFS, 1);
    public static final BackfillPolicy EASY = new BackfillPolicy(JobOrder.PRIORITY, 1);
    public static final BackfillPolicy CONSERVATIVE_FCFS = new BackfillPolicy(JobOrder.FCFS, ALL);
    public static final BackfillPolicy CHECKPOINT_FCFS =
            EASY_FCFS.keepsHead(true).preemption(CheckpointPreemptionPolicy.PUBLISHED);

    public BackfillPolicy {
        if (reservations < 0) {
            throw new IllegalArgumentException(
                    "reservations must be 0 (strict order), 1 (EASY), a greater number, or all; got " + reservations);
        }
        if (preemption != null && reservations != 1) {
            throw new IllegalArgumentException("checkpoint backfill needs reservations = 1, got " + reservations);
        }
    }

    public BackfillPolicy(final JobOrder order, final int reservations) {
        this(order, order, Estimate.REQUESTED, reservations, false, null);
    }

    /** Whether reservations need free capacity over time, not only at the time of the first one. */
    public boolean reservesOverTime(final QueueSnapshot queue) {
        return reservations > 1 || !queue.windows().isEmpty();
    }

    public BackfillPolicy order(final JobOrder other) {
        return new BackfillPolicy(other, candidates, estimate, reservations, keepsHead, preemption);
    }

    public BackfillPolicy candidates(final JobOrder other) {
        return new BackfillPolicy(order, other, estimate, reservations, keepsHead, preemption);
    }

    public BackfillPolicy estimate(final Estimate other) {
        return new BackfillPolicy(order, candidates, other, reservations, keepsHead, preemption);
    }

    public BackfillPolicy reservations(final int depth) {
        return new BackfillPolicy(order, candidates, estimate, depth, keepsHead, preemption);
    }

    public BackfillPolicy preemption(final @Nullable CheckpointPreemptionPolicy other) {
        return new BackfillPolicy(order, candidates, estimate, reservations, keepsHead, other);
    }

    public BackfillPolicy keepsHead(final boolean keeps) {
        return new BackfillPolicy(order, candidates, estimate, reservations, keeps, preemption);
    }
}
