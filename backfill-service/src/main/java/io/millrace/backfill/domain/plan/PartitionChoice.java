package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.decide.NodeShare;
import io.millrace.model.PartitionName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chooses the partition in which a job starts: its own if it can start there, else the first of the others that are open to it. */
final class PartitionChoice {

    /**
     * Where a job starts.
     *
     * @param job in the chosen partition
     * @param shares of nodes, empty if any node will do
     */
    record Place(QueuedJob job, List<NodeShare> shares) {}

    private final Pass pass;

    PartitionChoice(final Pass pass) {
        this.pass = pass;
    }

    /** Where a job fits now: in its own partition, else in one of the others that are open to it; null if it does not fit. */
    @Nullable
    Place now(final QueuedJob job) {
        if (pass.free().fits(job)) {
            return new Place(job, pass.free().choose(job));
        }
        for (final PartitionName other : job.otherPartitions()) {
            final QueuedJob there = job.inPartition(other);
            if (pass.free().fits(there)) {
                return new Place(there, pass.free().choose(there));
            }
        }
        return null;
    }

    /** Where a job fits now without using more than {@code extra} once the head job has started; null if it does not fit. */
    @Nullable
    Place beside(final FreeCapacity extra, final QueuedJob job) {
        final List<NodeShare> own = pass.free().chooseBeside(job, extra);
        if (own != null) {
            return new Place(job, own);
        }
        for (final PartitionName other : job.otherPartitions()) {
            final QueuedJob there = job.inPartition(other);
            final List<NodeShare> shares = pass.free().chooseBeside(there, extra);
            if (shares != null) {
                return new Place(there, shares);
            }
        }
        return null;
    }

    /**
     * The first of the other partitions where a job that cannot start in its own now can start without delaying a reservation. The job gives
     * up its own reservation then. Null if it has to wait, and then nothing has changed.
     */
    @Nullable
    Place inOtherPartition(final WaitingJob waiting) {
        final QueuedJob job = waiting.job();
        if (job.otherPartitions().isEmpty()) {
            return null;
        }
        final Pass.Slot reserved = pass.isReserved(waiting) ? pass.release(waiting) : null;
        for (final PartitionName other : job.otherPartitions()) {
            final QueuedJob there = job.inPartition(other);
            final List<NodeShare> shares =
                    pass.free().fits(there) ? pass.profile().sharesAt(there, pass.now_s(), waiting.estimate_s()) : null;
            if (shares != null) {
                return new Place(there, shares);
            }
        }
        if (reserved != null) {
            pass.putBack(waiting, reserved);
        }
        return null;
    }
}
