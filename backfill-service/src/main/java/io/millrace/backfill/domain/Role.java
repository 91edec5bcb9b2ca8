package io.millrace.backfill.domain;

import io.millrace.model.JobKey;

/** The part that a job of a live cluster plays in planning. */
sealed interface Role permits QueuedJob, RunningJob, Barred {

    JobKey job();
}
