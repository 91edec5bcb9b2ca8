package io.millrace.backfill.domain.forecast;

import io.millrace.backfill.domain.capacity.FreeCapacity;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.Reservation;
import io.millrace.backfill.domain.job.ShadowTime;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The state after a pass, from which follows why each waiting job cannot start.
 *
 * @param freeCapacity after the starts of the pass
 * @param coresUp idle and busy cores that are up
 * @param reservation of the head job; null if no job waits
 * @param displacedBy the displacing job by job that lost its reservation to guaranteed work
 */
public record PassSnapshot(
        FreeCapacity freeCapacity,
        int coresUp,
        @Nullable Reservation reservation,
        Map<JobKey, JobKey> displacedBy,
        long now_s) {

    /** What prevents a start now. */
    enum StartBlocker {
        NONE,
        MORE_THAN_UP,
        NO_IDLE_CORES,
        PARTITION_FULL,
        NO_LICENCES,
        NO_NODES,
        WOULD_DELAY_HEAD
    }

    private static final int DISPLACED = 1 << 3;
    private static final int HEAD = 1 << 4;
    private static final int BENEFICIARY = 1 << 5;
    private static final int RESERVED = 1 << 6;

    private StartBlocker blocker(final PlannedJob planned) {
        if (planned.cores() > coresUp) {
            return StartBlocker.MORE_THAN_UP;
        }
        if (planned.cores() > freeCapacity.idle()) {
            return StartBlocker.NO_IDLE_CORES;
        }
        final QueuedJob job = planned.job();
        if (!freeCapacity.fitsCores(job)) {
            return StartBlocker.PARTITION_FULL;
        }
        if (!freeCapacity.hasLicences(job)) {
            return StartBlocker.NO_LICENCES;
        }
        if (!freeCapacity.fits(job)) {
            return StartBlocker.NO_NODES;
        }
        return reservation == null ? StartBlocker.NONE : StartBlocker.WOULD_DELAY_HEAD;
    }

    /** Everything that its plan contains besides place and start, as a number that is equal if and only if the contents are. */
    int contentCode(final PlannedJob job) {
        return blocker(job).ordinal()
                | (isDisplaced(job.job()) ? DISPLACED : 0)
                | (isHead(job.job()) ? HEAD : 0)
                | (job.holdsReservation() ? RESERVED : 0)
                | (job.isBeneficiary() ? BENEFICIARY : 0);
    }

    /** Whether capacity is reserved for it. */
    boolean holdsReservation(final PlannedJob job) {
        return isHead(job.job()) || job.holdsReservation() && job.reserved_s() < ShadowTime.NEVER;
    }

    private boolean isHead(final QueuedJob job) {
        return reservation != null && reservation.head() == job;
    }

    private boolean isDisplaced(final QueuedJob job) {
        return !displacedBy.isEmpty() && displacedBy.containsKey(job.job());
    }

    /** @param start_s {@link ShadowTime#NEVER} if it is not foreseeable */
    JobForecast forecast(final PlannedJob planned, final int place, final long start_s) {
        final QueuedJob job = planned.job();
        final StartBlocker blocker = blocker(planned);
        return new JobForecast(
                job,
                place,
                start_s >= ShadowTime.NEVER ? null : new ShadowTime(start_s),
                why(job, blocker),
                vetoes(job, blocker));
    }

    private List<Veto> vetoes(final QueuedJob job, final StartBlocker blocker) {
        final List<Veto> vetoes = new ArrayList<>(2);
        final JobKey displacer = displacedBy.get(job.job());
        if (displacer != null) {
            vetoes.add(VetoCode.DISPLACED.veto(
                    "its reservation was given to guaranteed work: job " + displacer.id() + " starts first"));
        }
        switch (blocker) {
            case NONE -> {}
            case MORE_THAN_UP ->
                vetoes.add(
                        VetoCode.NOT_ENOUGH_CORES_UP.veto("needs " + job.cores() + " cores, " + coresUp + " are up"));
            case NO_IDLE_CORES ->
                vetoes.add(VetoCode.NO_IDLE_CORES.veto(
                        "needs " + job.cores() + " cores, " + freeCapacity.idle() + " are idle"));
            case PARTITION_FULL ->
                vetoes.add(VetoCode.PARTITION_FULL.veto(
                        "needs " + job.cores() + " cores, partition '" + job.partition() + "' has fewer idle"));
            case NO_LICENCES -> vetoes.add(VetoCode.LICENCES_IN_USE.veto("needs " + freeCapacity.missingLicences(job)));
            case NO_NODES ->
                vetoes.add(VetoCode.NO_SUITABLE_NODES.veto("enough cores are idle, but not on "
                        + job.resources().nodes() + " node(s) that meet its request"));
            case WOULD_DELAY_HEAD -> wouldDelay(vetoes);
        }
        if (!job.otherPartitions().isEmpty()) {
            vetoes.add(VetoCode.OTHER_PARTITIONS_FULL.veto("may also start in " + listed(job.otherPartitions())
                    + ", where no unreserved capacity fits it now"));
        }
        return vetoes;
    }

    private static String listed(final List<PartitionName> partitions) {
        return (partitions.size() == 1 ? "partition " : "partitions ")
                + partitions.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }

    private void wouldDelay(final List<Veto> vetoes) {
        if (reservation != null) {
            vetoes.add(VetoCode.WOULD_DELAY_RESERVATION.veto(
                    "would not end before " + reservation.shadow() + ", when cores are reserved for job "
                            + reservation.head().job().id() + ", and does not fit beside it"));
        }
    }

    private String why(final QueuedJob job, final StartBlocker blocker) {
        if (isDisplaced(job)) {
            return "its reservation was given to guaranteed work";
        }
        if (isHead(job)) {
            return "first in order: starts when " + job.cores() + " cores are free";
        }
        return switch (blocker) {
            case WOULD_DELAY_HEAD -> "would delay the reservation of the first job in order";
            case MORE_THAN_UP -> "needs more cores than are up";
            case PARTITION_FULL -> "partition '" + job.partition() + "' is full";
            case NO_LICENCES -> "licences are in use: needs " + freeCapacity.missingLicences(job);
            case NO_NODES -> "no " + job.resources().nodes() + " node(s) with enough free capacity";
            case NONE, NO_IDLE_CORES -> "too few cores are idle, and jobs ahead of it start first";
        };
    }
}
