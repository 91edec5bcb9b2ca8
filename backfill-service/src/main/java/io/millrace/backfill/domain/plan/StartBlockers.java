package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.Reservation;
import io.millrace.backfill.domain.capacity.FreeCapacity;
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
 * Why waiting jobs cannot start after a pass.
 *
 * @param free after the starts of the pass
 * @param coresUp idle and busy cores that are up
 * @param reservation of the head job; null if no job waits
 * @param displacedBy the displacing job by job that lost its reservation to guaranteed work
 */
record StartBlockers(
        FreeCapacity free, int coresUp, @Nullable Reservation reservation, Map<JobKey, JobKey> displacedBy) {

    /** What prevents a start now. */
    enum StartBlocker {
        NONE(null),
        MORE_THAN_UP(VetoCode.NOT_ENOUGH_CORES_UP),
        NO_IDLE_CORES(VetoCode.NO_IDLE_CORES),
        PARTITION_FULL(VetoCode.PARTITION_FULL),
        NO_LICENCES(VetoCode.LICENCES_IN_USE),
        NO_NODES(VetoCode.NO_SUITABLE_NODES),
        WOULD_DELAY_HEAD(VetoCode.WOULD_DELAY_RESERVATION);

        private final @Nullable VetoCode code;

        StartBlocker(final @Nullable VetoCode code) {
            this.code = code;
        }
    }

    /** The codes of the vetoes, which are cheaper to compare than their texts. */
    List<VetoCode> codes(final QueuedJob job, final StartBlocker blocker) {
        final List<VetoCode> codes = new ArrayList<>(3);
        if (isDisplaced(job)) {
            codes.add(VetoCode.DISPLACED);
        }
        if (blocker.code != null) {
            codes.add(blocker.code);
        }
        if (!job.otherPartitions().isEmpty()) {
            codes.add(VetoCode.OTHER_PARTITIONS_FULL);
        }
        return codes;
    }

    StartBlocker of(final QueuedJob job) {
        if (job.cores() > coresUp) {
            return StartBlocker.MORE_THAN_UP;
        }
        if (job.cores() > free.idle()) {
            return StartBlocker.NO_IDLE_CORES;
        }
        if (!free.fitsCores(job)) {
            return StartBlocker.PARTITION_FULL;
        }
        if (!free.hasLicences(job)) {
            return StartBlocker.NO_LICENCES;
        }
        if (!free.fits(job)) {
            return StartBlocker.NO_NODES;
        }
        return reservation == null ? StartBlocker.NONE : StartBlocker.WOULD_DELAY_HEAD;
    }

    boolean isHead(final QueuedJob job) {
        return reservation != null && reservation.head().job().equals(job.job());
    }

    boolean isDisplaced(final QueuedJob job) {
        return !displacedBy.isEmpty() && displacedBy.containsKey(job.job());
    }

    /** What prevents a start now, with current figures. */
    List<Veto> vetoes(final QueuedJob job, final StartBlocker blocker) {
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
                vetoes.add(
                        VetoCode.NO_IDLE_CORES.veto("needs " + job.cores() + " cores, " + free.idle() + " are idle"));
            case PARTITION_FULL ->
                vetoes.add(VetoCode.PARTITION_FULL.veto("needs " + job.cores() + " cores, partition '" + job.partition()
                        + "' has " + Math.max(0, free.partitions().getOrDefault(job.partition(), 0)) + " idle"));
            case NO_LICENCES -> vetoes.add(VetoCode.LICENCES_IN_USE.veto("needs " + free.missingLicences(job)));
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

    /** Why it waits, as a sentence. */
    String reason(final QueuedJob job, final StartBlocker blocker) {
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
            case NO_LICENCES -> "licences are in use: needs " + free.missingLicences(job);
            case NO_NODES -> "no " + job.resources().nodes() + " node(s) with enough free capacity";
            case NONE, NO_IDLE_CORES -> "too few cores are idle, and jobs ahead of it start first";
        };
    }
}
