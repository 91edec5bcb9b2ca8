package io.millrace.agent.slurm.query;

import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.SlurmSite;
import java.time.Instant;

/**
 * A hold or release by an operator who may not write AdminComment. {@code job_submit.lua} records it as a reserved begin time (see
 * {@code operator_modifies} there) until the agent replaces that with a mark.
 */
public final class OperatorRequest {

    private static final long HOLDS = QueuedJob.FAR_FUTURE + 1;
    private static final long RELEASES = QueuedJob.FAR_FUTURE + 2;

    private OperatorRequest() {}

    public static boolean isHold(final QueuedJob job) {
        return job.isHeld() && beginsAt(job, HOLDS);
    }

    /** Millrace does not hold a job that an operator has released. */
    public static boolean isRelease(final QueuedJob job) {
        return !job.isHeld() && beginsAt(job, RELEASES);
    }

    /** The command that replaces the reserved begin time with a mark. */
    public static ChangeCommand confirm(final SlurmSite site, final QueuedJob job) {
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
