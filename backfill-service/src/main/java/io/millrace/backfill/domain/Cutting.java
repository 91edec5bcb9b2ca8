package io.millrace.backfill.domain;

/**
 * The knobs of checkpoint backfill (CN 103810037 A; Niu et al., JSSPP 2012): jobs start behind the head on a shrunk estimate, and are cut
 * if the head is due while they still run.
 *
 * @param shrink the factor p, above 0 and below 1: so much of its estimate a job is expected to need
 * @param threshold_s only jobs with a longer estimate than t seconds are shrunk; shorter ones backfill easily anyway, and are not worth a
 *     cut
 * @param learn takes p from what jobs of that class, else of that user, needed so far; {@code shrink} serves where nothing is known
 * @param checkpoint_s what a checkpoint costs: seconds on all cores of the job
 * @param restart_s what a restart costs, likewise
 * @param worth a job is shrunk only if checkpoint and restart together take at most this share of its estimate
 * @param victims whom to cut first
 * @param ahead begins checkpoints so early that the head starts on time, rather than when the head is due
 * @param cutsPerJob how often one job may be cut at most
 * @param uncheckpointable what becomes of jobs that cannot be checkpointed
 * @param share of all jobs so far that may be cut at most: where those that were cut and those that may still be are so many, nobody else is
 *     shrunk; 1: no such limit
 * @param toHead a job that was cut waits at the head of the queue; else where the order puts it
 */
public record Cutting(
        double shrink,
        long threshold_s,
        boolean learn,
        long checkpoint_s,
        long restart_s,
        double worth,
        Victims victims,
        boolean ahead,
        int cutsPerJob,
        Uncheckpointable uncheckpointable,
        boolean toHead,
        double share) {

    /** As published in 2012: p between 0.1 and 0.2, t half an hour, the largest first, once per job. */
    public static final Cutting PUBLISHED =
            new Cutting(0.1, 1800, false, 0, 0, 1, Victims.LARGEST, false, 1, Uncheckpointable.EXCLUDED, true, 1);

    /** Whom to cut first. */
    public enum Victims {
        /** The widest first, as in the patent: few are cut. */
        LARGEST,
        /** The narrowest that frees enough alone; if none does, the widest first. */
        FEWEST_CORES,
        /** Those with the longest time to their limit first: who is nearly done may end. */
        LONGEST_LEFT,
        /** The last started first: they have waited least. */
        NEWEST
    }

    /** What becomes of jobs that cannot be checkpointed. */
    public enum Uncheckpointable {
        /** They are never shrunk, so never cut. */
        EXCLUDED,
        /** They are shrunk as others, and if cut they start again from nothing. */
        REQUEUE
    }

    /** Without a limit on the share of jobs that are cut; who was cut waits at the head of the queue. */
    public Cutting(
            final double shrink,
            final long threshold_s,
            final boolean learn,
            final long checkpoint_s,
            final long restart_s,
            final double worth,
            final Victims victims,
            final boolean ahead,
            final int cutsPerJob,
            final Uncheckpointable uncheckpointable) {
        this(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                true,
                1);
    }

    public Cutting {
        if (!(shrink > 0 && shrink < 1)) {
            throw new IllegalArgumentException("shrink must be above 0 and below 1, got " + shrink);
        }
        if (threshold_s < 0 || checkpoint_s < 0 || restart_s < 0 || cutsPerJob < 1 || !(worth > 0) || !(share >= 0)) {
            throw new IllegalArgumentException(
                    "threshold, checkpoint and restart cost must not be negative, cuts per job"
                            + " at least 1, worth above 0, share not below; got " + threshold_s + ", " + checkpoint_s
                            + ", " + restart_s
                            + ", "
                            + cutsPerJob + ", " + worth);
        }
    }

    public Cutting shrink(final double p) {
        return new Cutting(
                p,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting threshold(final long t_s) {
        return new Cutting(
                shrink,
                t_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting learned(final boolean p) {
        return new Cutting(
                shrink,
                threshold_s,
                p,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting costs(final long toCheckpoint_s, final long toRestart_s) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                toCheckpoint_s,
                toRestart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting worth(final double share) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                share,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting victims(final Victims first) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                first,
                ahead,
                cutsPerJob,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting ahead(final boolean early) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                early,
                cutsPerJob,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting cutsPerJob(final int limit) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                limit,
                uncheckpointable,
                toHead,
                share);
    }

    public Cutting uncheckpointable(final Uncheckpointable become) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                become,
                toHead,
                share);
    }

    public Cutting toHead(final boolean there) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                there,
                share);
    }

    public Cutting share(final double ofJobs) {
        return new Cutting(
                shrink,
                threshold_s,
                learn,
                checkpoint_s,
                restart_s,
                worth,
                victims,
                ahead,
                cutsPerJob,
                uncheckpointable,
                toHead,
                ofJobs);
    }

    /** Seconds before the reservation at which cutting begins. */
    long lead_s() {
        return ahead ? checkpoint_s : 0;
    }

    private boolean mayBeCut(final Traits job) {
        return job.cuts() < cutsPerJob && (job.checkpointable() || uncheckpointable == Uncheckpointable.REQUEUE);
    }

    /** The estimate on which a job may pass; its own if it is not worth a cut, or never to be cut. */
    long shrunk_s(final QueuedJob job, final long estimate_s, final RunTimes history) {
        if (estimate_s <= threshold_s
                || estimate_s >= ShadowTime.NEVER
                || !mayBeCut(job.traits())
                || checkpoint_s + restart_s > worth * estimate_s) {
            return estimate_s;
        }
        final double p = learn ? Math.clamp(history.share(job, 0.8, shrink), 0.02, 1) : shrink;
        return Math.min(estimate_s, Math.max(1, (long) Math.ceil(p * estimate_s)));
    }
}
