package io.millrace.migration.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.AlterRequested;
import io.millrace.model.job.AttemptEnd;
import io.millrace.model.job.HoldRequested;
import io.millrace.model.job.ReleaseRequested;
import io.millrace.model.job.StopRequested;
import io.millrace.model.job.Withdrawal;
import org.jspecify.annotations.Nullable;

/** A new fact about a global job. {@link GlobalJobLifecycle} defines in which states it causes a transition. */
public sealed interface JobFact {

    /** No cluster can run it now. {@code reason} names the obstacle on each cluster. */
    record Delayed(String reason) implements JobFact {}

    /** No cluster can ever run it as requested. */
    record Impossible(String reason) implements JobFact {}

    /**
     * A target was chosen; {@code directory} is where the job will run there.
     *
     * @param partition of the target; null: the default one
     */
    record Placed(ClusterId cluster, @Nullable PartitionName partition, String directory, String reason)
            implements JobFact {}

    /** Its directory is on the target and the checksums agree. */
    record Uploaded() implements JobFact {}

    /** The make step succeeded. */
    record MakeSucceeded() implements JobFact {}

    /** The attempt ended before it could run. If {@code mayRetry}, another cluster may be tried. */
    record AttemptFailed(String reason, boolean mayRetry) implements JobFact {}

    /** The workload manager's id of the attempt is known. */
    record LocalJobFound(JobKey localJob) implements JobFact {}

    /** The submission hold is lifted. */
    record Released() implements JobFact {}

    /** The local job was checkpointed and continues under another key. */
    record RunContinued(JobKey localJob, JobKey continuedAs) implements JobFact {}

    /** The local job has ended. */
    record RunFinished(JobKey localJob, RunOutcome outcome) implements JobFact {}

    /** The results are in the job's directory and the checksums agree. */
    record ResultsReturned() implements JobFact {}

    /** The results could not be copied back. */
    record ResultsLost(String reason) implements JobFact {}

    /** A user requested to stop the job. */
    record StopReceived(StopRequested stop) implements JobFact {}

    /** A user holds the job. */
    record HoldReceived(HoldRequested hold) implements JobFact {}

    /** A user released the job. */
    record ReleaseReceived(ReleaseRequested release) implements JobFact {}

    /** A user requested other properties. */
    record AlterReceived(AlterRequested change) implements JobFact {}

    /** The local job is held again. */
    record LocalJobHeld() implements JobFact {}

    /** The attempt is taken back from its cluster. */
    record WithdrawalDecided(Withdrawal withdrawal) implements JobFact {}

    /** The local job could not be withdrawn, because it does not wait any more. */
    record WithdrawalRefused() implements JobFact {}

    /** The local job was cancelled by a withdrawal; its end is confirmed. */
    record Withdrawn(JobKey localJob) implements JobFact {}

    /** The attempt is given up without a confirmed end of a local job: nothing was submitted yet, or its cluster is fenced. */
    record Abandoned(AttemptEnd end) implements JobFact {}

    /** A stop was requested, and nothing of the attempt runs or will start. */
    record NothingRunning() implements JobFact {}
}
