package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.decide.NodeShare;
import io.millrace.model.PartitionName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the partition in which a job starts: its own if it can start there, else the first of the others that are open to it. */
final class PartitionChoice {

    private final PlannerState state;

    PartitionChoice(final PlannerState state) {
        this.state = state;
    }

    /** Whether a job fits now in its own partition, else in one of the others that are open to it; it is moved to that one then. */
    boolean fitsNow(final PlannedJob job) {
        if (state.free().fits(job.job())) {
            return true;
        }
        for (final PartitionName other : job.job().otherPartitions()) {
            final QueuedJob there = job.job().inPartition(other);
            if (state.free().fits(there)) {
                job.moveTo(there);
                return true;
            }
        }
        return false;
    }

    /**
     * Where a job fits now without using more than {@code extra} once the head job has started; it is moved to another partition if only
     * that has capacity.
     *
     * @return its shares of nodes, empty if any node will do; null if it does not fit
     */
    @Nullable
    List<NodeShare> sharesBeside(final FreeCapacity extra, final PlannedJob job) {
        final List<NodeShare> own = state.free().chooseBeside(job.job(), extra);
        if (own != null) {
            return own;
        }
        for (final PartitionName other : job.job().otherPartitions()) {
            final QueuedJob there = job.job().inPartition(other);
            final List<NodeShare> shares = state.free().chooseBeside(there, extra);
            if (shares != null) {
                job.moveTo(there);
                return shares;
            }
        }
        return null;
    }

    /**
     * Moves a job that cannot start in its own partition now to the first of the others where it can start without delaying a reservation.
     * The job gives up its own reservation then.
     *
     * @return its shares of nodes, empty if any node will do; null if it has to wait, and then nothing has changed
     */
    @Nullable
    List<NodeShare> moveToOtherPartition(final PlannedJob job, final long now_s) {
        if (job.job().otherPartitions().isEmpty()) {
            return null;
        }
        final long at_s = job.reserved_s();
        final long until_s = job.reservedUntil_s();
        final List<NodeShare> reserved = job.reservedOn();
        final boolean holdsReservation = job.holdsReservation();
        if (holdsReservation) {
            state.releaseReservation(job);
        }
        for (final PartitionName other : job.job().otherPartitions()) {
            final QueuedJob there = job.job().inPartition(other);
            final List<NodeShare> shares =
                    state.free().fits(there) ? state.profile().sharesAt(there, now_s, job.estimate_s()) : null;
            if (shares != null) {
                job.moveTo(there);
                return shares;
            }
        }
        if (holdsReservation) {
            job.reserve(at_s, until_s, reserved);
            state.profile().take(job.job(), reserved, at_s, until_s);
        }
        return null;
    }
}
