package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.pbs.ExitStatus;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbs.ResourcesUsed;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.model.cluster.RunOutcome;
import java.time.Instant;
import java.util.Optional;

/** Determines how a run ended, from {@code qstat -x}. */
public final class RunOutcomes {

    private RunOutcomes() {}

    /** The last run of a finished job; empty if the job has not finished. An array itself never runs: its subjobs do. */
    public static Optional<Run> last(final PbsJob job) {
        if (!job.isFinished()) {
            return Optional.empty();
        }
        final boolean ran = job.runCount() > 0 || job.object().has("exec_host") || job.isArray();
        return Optional.of(new Run(
                job.key(),
                (int) Math.max(1, job.runCount()),
                ran && !job.isArray() ? job.time("stime") : null,
                ended(job),
                outcome(job, ran),
                "qstat -x",
                ResourcesUsed.read(job.object()::get)));
    }

    private static RunOutcome outcome(final PbsJob job, final boolean ran) {
        final PbsObject object = job.object();
        if (job.stateLetter() == 'M') {
            return new RunOutcome.Unknown("moved to another server: " + object.get("queue"));
        }
        // Deleted, or ended without a start because a dependency can never be fulfilled.
        if (job.substate() == PbsJob.SUBSTATE_DELETED || !ran) {
            return new RunOutcome.Cancelled();
        }
        final long status = object.number("Exit_status", Long.MIN_VALUE);
        return status == Long.MIN_VALUE
                ? new RunOutcome.Unknown("the job history has no Exit_status")
                : ExitStatus.withLimits(ExitStatus.outcome((int) status), object::get);
    }

    private static Instant ended(final PbsJob job) {
        for (final String attribute : new String[] {"obittime", "history_timestamp", "mtime"}) {
            final Instant time = job.time(attribute);
            if (time != null && !time.isBefore(job.submitted())) {
                return time;
            }
        }
        return job.submitted();
    }
}
