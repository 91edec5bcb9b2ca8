package io.millrace.model.command;

import io.millrace.model.AttemptId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;

/** What must hold on the live cluster when the command is executed; otherwise it is refused as stale. */
public sealed interface Precondition {

    /** The job waits, and only Millrace holds it. */
    record JobWaits(JobKey job) implements Precondition {}

    record JobRuns(JobKey job) implements Precondition {}

    /** At least this many cores are idle and not claimed by a running reclaim. */
    record IdleCores(int atLeast) implements Precondition {}

    /** The owner's running jobs occupy at least this many cores (so that a victim leaves its owner at or above quota). */
    record OwnerUses(UserName owner, int atLeastCores) implements Precondition {}

    /** No queued, running or ended job carries this tag. */
    record AttemptAbsent(AttemptId attempt) implements Precondition {}
}
