package io.millrace.submit.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.job.JobStatus;

/** The jobs of a cluster in one state, and the cores they request or occupy. */
public record QueueCount(ClusterId cluster, JobStatus state, long jobs, long cores) {}
