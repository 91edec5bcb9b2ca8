package io.millrace.model.command;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;

/** What must be true on the live cluster when the command is carried out; else it is refused as stale. */
public sealed interface Precondition {

    /** The job waits, and nobody but Millrace holds it. */
    record JobWaits(JobKey job) implements Precondition {}

    record JobRuns(JobKey job) implements Precondition {}

    /** At least this many cores are idle and not claimed by a reclaim under way. */
    record IdleCores(int atLeast) implements Precondition {}

    /** The owner's running jobs occupy at least this many cores (so that a victim leaves its owner at or above quota). */
    record OwnerUses(UserName owner, int atLeastCores) implements Precondition {}

    /** No job carries this tag, neither in the queue nor among the ended ones. */
    record AttemptAbsent(AttemptId attempt) implements Precondition {}
}
