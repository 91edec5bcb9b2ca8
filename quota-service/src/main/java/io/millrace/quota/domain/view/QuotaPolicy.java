package io.millrace.quota.domain.view;

import io.millrace.decide.RetryPolicy;
import io.millrace.model.Backoff;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import java.time.Duration;

/**
 * The settings of the planner.
 *
 * @param rules which jobs can be preempted, and how many of their cores
 * @param order the order of victims
 * @param preemptionLimits limits on preemption
 * @param modes the preemption modes that the site allows
 * @param hours limits of processor time
 * @param validity time until an unexecuted reclaim expires
 * @param freshness age of the newest revision after which a cluster is silent and no job is preempted there
 * @param retry back-off after a failed command
 */
public record QuotaPolicy(
        UpqppRules rules,
        VictimOrder order,
        PreemptionLimits preemptionLimits,
        PreemptModePolicy modes,
        ProcessorHourRules hours,
        Duration validity,
        Duration freshness,
        RetryPolicy retry) {

    public static final QuotaPolicy DEFAULT = new QuotaPolicy(
            UpqppRules.DEFAULT,
            VictimOrder.NEWEST_FIRST,
            PreemptionLimits.NONE,
            PreemptModePolicy.DEFAULT,
            ProcessorHourRules.NONE,
            Duration.ofMinutes(2),
            Duration.ofMinutes(2),
            new RetryPolicy(new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(15))));

    public QuotaPolicy with(final VictimOrder other) {
        return new QuotaPolicy(rules, other, preemptionLimits, modes, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final UpqppRules other) {
        return new QuotaPolicy(other, order, preemptionLimits, modes, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final PreemptionLimits other) {
        return new QuotaPolicy(rules, order, other, modes, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final PreemptModePolicy other) {
        return new QuotaPolicy(rules, order, preemptionLimits, other, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final ProcessorHourRules other) {
        return new QuotaPolicy(rules, order, preemptionLimits, modes, other, validity, freshness, retry);
    }
}
