package io.millrace.backfill.domain;

import io.millrace.model.JobKey;

/** How a job of a live cluster takes part in planning: waiting, running, or not at all. */
public sealed interface JobRole permits QueuedJob, RunningJob, IneligibleJob {

    JobKey job();
}
