package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.StopRequested;

/** Something that has become known about a global job. {@link GlobalJobLifecycle} knows in which states it means anything. */
public sealed interface JobFact {

    /** No cluster can take it now; {@code why} names what stands against each. */
    record Delayed(String reason) implements JobFact {}

    /** No cluster will ever take it as it stands. */
    record Impossible(String reason) implements JobFact {}

    /** A target was chosen; {@code directory} is where the job will run there. */
    record Placed(ClusterId cluster, String directory, String reason) implements JobFact {}

    /** Its directory lies verified on the target. */
    record Uploaded() implements JobFact {}

    /** The make step ended well. */
    record MakeSucceeded() implements JobFact {}

    /** The attempt ended before it could run; {@code again} says whether another cluster may be tried. */
    record AttemptFailed(String reason, boolean mayRetry) implements JobFact {}

    /** The workload manager's own id of the attempt. */
    record LocalJobFound(JobKey localJob) implements JobFact {}

    /** The submission hold is lifted. */
    record Released() implements JobFact {}

    /** The local job was saved and goes on under another key; the old one is over. */
    record RunContinued(JobKey localJob, JobKey continuedAs) implements JobFact {}

    /** The local job is over for good. */
    record RunFinished(JobKey localJob, RunOutcome outcome) implements JobFact {}

    /** The results lie verified in the job's own directory. */
    record ResultsReturned() implements JobFact {}

    /** The results could not be brought home. */
    record ResultsLost(String reason) implements JobFact {}

    /** Somebody wants the job stopped. */
    record StopReceived(StopRequested stop) implements JobFact {}

    /** A stop was asked for, and what the attempt waited for will not begin any more. */
    record NothingRunning() implements JobFact {}
}
