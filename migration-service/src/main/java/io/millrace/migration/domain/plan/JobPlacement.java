package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.job.JobFact;
import io.millrace.model.job.GlobalJob;

/** A waiting job is placed, or no cluster can ever run it. */
public record JobPlacement(GlobalJob job, JobFact fact) {}
