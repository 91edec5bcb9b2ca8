package io.millrace.quota.domain.quota;

/**
 * How processor-hours are counted against the limits.
 *
 * @param limits in force
 * @param remaining whether a running job counts with the time it has left instead of the whole walltime it asked for
 * @param queued whether a job that was let go counts on other clusters before it starts: those behind this one in the order of the
 *     clusters' names leave room for it
 * @param overtaking whether a small job may pass an older one of the same user that does not fit
 */
public record ProcessorHourRules(ProcessorHourLimits limits, boolean remaining, boolean queued, boolean overtaking) {

    public static final ProcessorHourRules NONE = new ProcessorHourRules(ProcessorHourLimits.NONE, false, false, false);
}
