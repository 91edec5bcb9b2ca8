package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.Veto;

/** A waiting job that does not take part in planning, and why. */
public record Barred(JobKey job, Veto veto) implements Role {}
