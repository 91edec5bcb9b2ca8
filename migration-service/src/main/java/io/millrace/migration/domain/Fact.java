package io.millrace.migration.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.job.StopRequested;

/** Something that has become known about a global job. {@link Lifecycle} knows in which states it means anything. */
public sealed interface Fact {

    /** No cluster can take it now; {@code why} names what stands against each. */
    record Delayed(String why) implements Fact {}

    /** No cluster will ever take it as it stands. */
    record Impossible(String because) implements Fact {}

    /** A target was chosen; {@code directory} is where the job will run there. */
    record Placed(ClusterId cluster, String directory, String why) implements Fact {}

    /** Its directory lies verified on the target. */
    record Arrived() implements Fact {}

    /** The make step ended well. */
    record Made() implements Fact {}

    /** The attempt ended before it could run; {@code again} says whether another cluster may be tried. */
    record AttemptLost(String because, boolean again) implements Fact {}

    /** The workload manager's own id of the attempt. */
    record LocalFound(JobKey local) implements Fact {}

    /** The submission hold is lifted. */
    record Released() implements Fact {}

    /** The local job was saved and goes on under another key; the old one is over. */
    record GoesOn(JobKey local, JobKey as) implements Fact {}

    /** The local job is over for good. */
    record RunOver(JobKey local, RunOutcome outcome) implements Fact {}

    /** The results lie verified in the job's own directory. */
    record ResultsHome() implements Fact {}

    /** The results could not be brought home. */
    record ResultsLost(String because) implements Fact {}

    /** Somebody wants the job stopped. */
    record StopAsked(StopRequested stop) implements Fact {}

    /** A stop was asked for, and what the attempt waited for will not begin any more. */
    record NothingRuns() implements Fact {}
}
