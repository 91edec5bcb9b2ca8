package io.millrace.backfill.domain;

import java.util.function.Consumer;

/**
 * The settings of checkpoint backfill (CN 103810037 A; Niu et al., JSSPP 2012): jobs behind the head job start on a shrunk estimate, and are
 * preempted if the head job's reservation is due while they still run.
 *
 * @param shrink the factor p, above 0 and below 1: the share of its estimate that a job is expected to need
 * @param threshold_s only jobs with a longer estimate are shrunk, in seconds; shorter ones are easy to backfill and not worth a preemption
 * @param learn takes p from past runs of the job's class or user; {@code shrink} applies where there are none
 * @param checkpoint_s the cost of a checkpoint: seconds on all cores of the job
 * @param restart_s the cost of a restart: seconds on all cores of the job
 * @param maxCostShare a job is shrunk only if checkpoint and restart together take at most this share of its estimate
 * @param victimOrder which jobs are preempted first
 * @param checkpointAhead begins checkpoints early enough for the head job to start on time, rather than when its reservation is due
 * @param preemptionsPerJob how often one job may be preempted
 * @param uncheckpointable how jobs without checkpoint support are treated
 * @param requeueAtHead whether a preempted job waits at the head of the queue; otherwise where the order puts it
 * @param maxPreemptedShare the share of all jobs that may be preempted; running jobs that can still be preempted count as preempted.
 *     1: no limit
 */
public record CheckpointPreemptionPolicy(
        double shrink,
        long threshold_s,
        boolean learn,
        long checkpoint_s,
        long restart_s,
        double maxCostShare,
        VictimOrder victimOrder,
        boolean checkpointAhead,
        int preemptionsPerJob,
        Uncheckpointable uncheckpointable,
        boolean requeueAtHead,
        double maxPreemptedShare) {

    /** As published in 2012: p = 0.1, t = 30 minutes, the largest job first, one preemption per job. */
    public static final CheckpointPreemptionPolicy PUBLISHED = new CheckpointPreemptionPolicy(
            0.1, 1800, false, 0, 0, 1, VictimOrder.LARGEST, false, 1, Uncheckpointable.EXCLUDED, true, 1);

    /** Which jobs are preempted first. */
    public enum VictimOrder {
        /** The widest first, as in the patent, so that few jobs are preempted. */
        LARGEST,
        /** The narrowest job that releases enough cores alone; if there is none, the widest first. */
        FEWEST_CORES,
        /** The job with the longest time to its limit first, so that jobs near their end may finish. */
        LONGEST_LEFT,
        /** The job that was started last first. */
        NEWEST
    }

    /** How jobs without checkpoint support are treated. */
    public enum Uncheckpointable {
        /** They are never shrunk, so never preempted. */
        EXCLUDED,
        /** They are shrunk like other jobs, and start again from the beginning if preempted. */
        REQUEUE
    }

    public CheckpointPreemptionPolicy {
        if (!(shrink > 0 && shrink < 1)) {
            throw new IllegalArgumentException("shrink must be above 0 and below 1, got " + shrink);
        }
        require(threshold_s >= 0, "threshold must not be negative", threshold_s);
        require(checkpoint_s >= 0, "checkpoint cost must not be negative", checkpoint_s);
        require(restart_s >= 0, "restart cost must not be negative", restart_s);
        require(maxCostShare > 0, "maximum cost share must be above 0", maxCostShare);
        require(preemptionsPerJob >= 1, "preemptions per job must be at least 1", preemptionsPerJob);
        require(maxPreemptedShare >= 0, "maximum preempted share must not be negative", maxPreemptedShare);
    }

    private static void require(final boolean condition, final String message, final double value) {
        if (!condition) {
            throw new IllegalArgumentException(message + ", got " + value);
        }
    }

    /** A mutable copy. */
    private static final class Draft {
        private double shrink;
        private long threshold_s;
        private boolean learn;
        private long checkpoint_s;
        private long restart_s;
        private double maxCostShare;
        private VictimOrder victimOrder;
        private boolean checkpointAhead;
        private int preemptionsPerJob;
        private Uncheckpointable uncheckpointable;
        private boolean requeueAtHead;
        private double maxPreemptedShare;

        private Draft(final CheckpointPreemptionPolicy policy) {
            shrink = policy.shrink;
            threshold_s = policy.threshold_s;
            learn = policy.learn;
            checkpoint_s = policy.checkpoint_s;
            restart_s = policy.restart_s;
            maxCostShare = policy.maxCostShare;
            victimOrder = policy.victimOrder;
            checkpointAhead = policy.checkpointAhead;
            preemptionsPerJob = policy.preemptionsPerJob;
            uncheckpointable = policy.uncheckpointable;
            requeueAtHead = policy.requeueAtHead;
            maxPreemptedShare = policy.maxPreemptedShare;
        }
    }

    private CheckpointPreemptionPolicy with(final Consumer<Draft> change) {
        final Draft draft = new Draft(this);
        change.accept(draft);
        return new CheckpointPreemptionPolicy(
                draft.shrink,
                draft.threshold_s,
                draft.learn,
                draft.checkpoint_s,
                draft.restart_s,
                draft.maxCostShare,
                draft.victimOrder,
                draft.checkpointAhead,
                draft.preemptionsPerJob,
                draft.uncheckpointable,
                draft.requeueAtHead,
                draft.maxPreemptedShare);
    }

    public CheckpointPreemptionPolicy shrink(final double p) {
        return with(draft -> draft.shrink = p);
    }

    public CheckpointPreemptionPolicy threshold(final long t_s) {
        return with(draft -> draft.threshold_s = t_s);
    }

    public CheckpointPreemptionPolicy learned(final boolean p) {
        return with(draft -> draft.learn = p);
    }

    /** @param newCheckpoint_s seconds for a checkpoint @param newRestart_s seconds for a restart */
    public CheckpointPreemptionPolicy costs(final long newCheckpoint_s, final long newRestart_s) {
        return with(draft -> {
            draft.checkpoint_s = newCheckpoint_s;
            draft.restart_s = newRestart_s;
        });
    }

    public CheckpointPreemptionPolicy maxCostShare(final double share) {
        return with(draft -> draft.maxCostShare = share);
    }

    public CheckpointPreemptionPolicy victimOrder(final VictimOrder order) {
        return with(draft -> draft.victimOrder = order);
    }

    public CheckpointPreemptionPolicy checkpointAhead(final boolean early) {
        return with(draft -> draft.checkpointAhead = early);
    }

    public CheckpointPreemptionPolicy preemptionsPerJob(final int limit) {
        return with(draft -> draft.preemptionsPerJob = limit);
    }

    public CheckpointPreemptionPolicy uncheckpointable(final Uncheckpointable treatment) {
        return with(draft -> draft.uncheckpointable = treatment);
    }

    public CheckpointPreemptionPolicy requeueAtHead(final boolean atHead) {
        return with(draft -> draft.requeueAtHead = atHead);
    }

    public CheckpointPreemptionPolicy maxPreemptedShare(final double share) {
        return with(draft -> draft.maxPreemptedShare = share);
    }

    /** Seconds before the reservation at which preemption begins. */
    public long lead_s() {
        return checkpointAhead ? checkpoint_s : 0;
    }

    private boolean mayBePreempted(final JobAttributes job) {
        return job.preemptions() < preemptionsPerJob
                && (job.checkpointable() || uncheckpointable == Uncheckpointable.REQUEUE);
    }

    /** The length in seconds with which a job is tried for backfill; its full estimate if it must not or should not be preempted. */
    public long shrunk_s(final QueuedJob job, final long estimate_s, final RunTimeHistory history) {
        if (estimate_s <= threshold_s
                || estimate_s >= ShadowTime.NEVER
                || !mayBePreempted(job.attributes())
                || checkpoint_s + restart_s > maxCostShare * estimate_s) {
            return estimate_s;
        }
        final double p = learn ? Math.clamp(history.share(job, 0.8, shrink), 0.02, 1) : shrink;
        return Math.min(estimate_s, Math.max(1, (long) Math.ceil(p * estimate_s)));
    }
}
