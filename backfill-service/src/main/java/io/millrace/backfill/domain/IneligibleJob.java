package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.Veto;

/** A waiting job that cannot be planned, with the reason. */
public record IneligibleJob(JobKey job, Veto veto) implements JobRole {}
