package io.millrace.quota.domain.view;

import io.millrace.model.Backoff;
import io.millrace.model.view.RetryPolicy;
import io.millrace.quota.domain.preemption.PreemptModePolicy;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import java.time.Duration;

/**
 * The knobs.
 *
 * @param rules what may be taken, and how much of it
 * @param order whom to take first
 * @param restraint what keeps preemption within bounds
 * @param modes how victims may leave their cores
 * @param hours limits of processor-hours asked for at once
 * @param validity how long a reclaim may wait for its agent
 * @param freshness a cluster whose newest revision is older than this is silent: nothing is taken there
 * @param retry when to try again after an answer that was not "done"
 */
public record QuotaPolicy(
        UpqppRules rules,
        VictimOrder order,
        PreemptionLimits restraint,
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
        return new QuotaPolicy(rules, other, restraint, modes, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final UpqppRules other) {
        return new QuotaPolicy(other, order, restraint, modes, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final PreemptionLimits other) {
        return new QuotaPolicy(rules, order, other, modes, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final PreemptModePolicy other) {
        return new QuotaPolicy(rules, order, restraint, other, hours, validity, freshness, retry);
    }

    public QuotaPolicy with(final ProcessorHourRules other) {
        return new QuotaPolicy(rules, order, restraint, modes, other, validity, freshness, retry);
    }
}
