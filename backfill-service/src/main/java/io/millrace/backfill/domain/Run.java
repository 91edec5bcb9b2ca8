package io.millrace.backfill.domain;

import io.millrace.decide.NodeShare;
import java.util.List;

/**
 * A job on its cores, as a pass sees it.
 *
 * @param end_s its expected end
 * @param limitEnd_s when its walltime is over
 * @param preemptible whether it runs on a shrunk estimate and may be preempted for the head job
 * @param shares of nodes; empty if they are not known
 */
public record Run(
        QueuedJob job, long start_s, long end_s, long limitEnd_s, boolean preemptible, List<NodeShare> shares) {

    public static Run of(final RunningJob observed, final List<NodeShare> shares) {
        final QueuedJob job = new QueuedJob(
                observed.job(),
                observed.resources(),
                observed.partition(),
                ShadowTime.NEVER,
                0,
                false,
                observed.attributes(),
                observed.placement(),
                List.of());
        return new Run(
                job,
                observed.startBasis().start_s(),
                observed.expectedEnd_s(),
                observed.end_s(),
                observed.startBasis().preemptible(),
                shares);
    }

    public int cores() {
        return job.cores();
    }

    /** A copy that leaves its cores then, for the head job. */
    public Run preemptedUntil(final long until_s) {
        return new Run(job, start_s, until_s, until_s, false, shares);
    }

    /**
     * A copy with an expected end in the future. A job that exceeds its estimate is expected to run as long again; a job that exceeds its
     * limit is about to be ended. A job that may be preempted keeps its expected end: for the head job its cores count as free at once.
     */
    public Run correctedAt(final long now_s) {
        return end_s > now_s || preemptible
                ? this
                : new Run(job, start_s, correctedEnd_s(start_s, limitEnd_s, now_s), limitEnd_s, false, shares);
    }

    /** When a job that exceeds its expected end is expected to end. */
    public static long correctedEnd_s(final long start_s, final long limitEnd_s, final long now_s) {
        return limitEnd_s <= now_s
                ? now_s + RunningJob.OVERDUE_S
                : Math.min(limitEnd_s, now_s + Math.max(60, now_s - start_s));
    }
}
