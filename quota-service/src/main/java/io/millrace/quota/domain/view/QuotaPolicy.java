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
 */
public record QuotaPolicy(
        UpqppRules rules,
        VictimOrder order,
        PreemptionLimits preemptionLimits,
        PreemptModePolicy modes,
        ProcessorHourRules hours) {

    /** Time until an unexecuted command expires. */
    public static final Duration VALIDITY = Duration.ofMinutes(2);

    /** Age of the newest revision after which a cluster is silent and no job is preempted there. */
    public static final Duration FRESHNESS = Duration.ofMinutes(2);

    /** Back-off after a failed command. */
    static final RetryPolicy RETRY = new RetryPolicy(new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(15)));

    public static final QuotaPolicy DEFAULT = new QuotaPolicy(
            UpqppRules.DEFAULT,
            VictimOrder.NEWEST_FIRST,
            PreemptionLimits.NONE,
            PreemptModePolicy.DEFAULT,
            ProcessorHourRules.NONE);

    public QuotaPolicy with(final VictimOrder other) {
        return new QuotaPolicy(rules, other, preemptionLimits, modes, hours);
    }

    public QuotaPolicy with(final UpqppRules other) {
        return new QuotaPolicy(other, order, preemptionLimits, modes, hours);
    }

    public QuotaPolicy with(final PreemptionLimits other) {
        return new QuotaPolicy(rules, order, other, modes, hours);
    }

    public QuotaPolicy with(final PreemptModePolicy other) {
        return new QuotaPolicy(rules, order, preemptionLimits, other, hours);
    }

    public QuotaPolicy with(final ProcessorHourRules other) {
        return new QuotaPolicy(rules, order, preemptionLimits, modes, other);
    }
}
