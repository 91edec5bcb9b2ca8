package io.millrace.quota.domain.quota;

/**
 * How processor time counts against the limits.
 *
 * @param the limits
 * @param remaining whether a running job counts with its remaining time instead of its requested walltime
 * @param queued whether a released job counts, before it starts, on the clusters whose name sorts after this one
 * @param overtaking whether a job may start before an older job of the same user that does not fit
 */
public record ProcessorHourRules(ProcessorHourLimits limits, boolean remaining, boolean queued, boolean overtaking) {

    public static final ProcessorHourRules NONE = new ProcessorHourRules(ProcessorHourLimits.NONE, false, false, false);
}
