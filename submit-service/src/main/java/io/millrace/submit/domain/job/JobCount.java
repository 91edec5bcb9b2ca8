package io.millrace.submit.domain.job;

import io.millrace.model.job.JobStatus;

/** The number of jobs in one state. */
public record JobCount(JobStatus state, long jobs) {}
