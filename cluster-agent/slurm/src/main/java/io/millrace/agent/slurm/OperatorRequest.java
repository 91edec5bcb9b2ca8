package io.millrace.agent.slurm;

import java.time.Instant;

/**
 * What an operator asked for who may not write AdminComment, noted by the gate as a begin time that nobody else chooses (see
 * {@code operator_modifies} in job_submit.lua) until this agent turns it into a mark.
 */
final class OperatorRequest {

    private static final long HOLDS = QueuedJob.FAR_FUTURE + 1;
    private static final long RELEASES = QueuedJob.FAR_FUTURE + 2;

    private OperatorRequest() {}

    static boolean isHold(final QueuedJob job) {
        return job.isHeld() && beginsAt(job, HOLDS);
    }

    /** Past the gate: what an operator lets go, Millrace does not keep. */
    static boolean isRelease(final QueuedJob job) {
        return !job.isHeld() && beginsAt(job, RELEASES);
    }

    /** The order that notes it for good. */
    static ChangeCommand confirm(final SlurmSite site, final QueuedJob job) {
        final AdminCommentMark mark = isHold(job)
                ? new AdminCommentMark(AdminCommentMark.OPERATOR, job.submitted())
                : AdminCommentMark.start(job.restarts(), job.submitted());
        return HoldUpdate.of(site, TargetId.of(job), mark.replaceIn(job.cell("admin_comment")))
                .beginningAt(job.earliestBegin());
    }

    private static boolean beginsAt(final QueuedJob job, final long time) {
        final Instant begin = job.instant("eligibletime");
        return begin != null && begin.getEpochSecond() == time;
    }
}
