package io.millrace.quota.domain;

import io.millrace.model.UserName;
import io.millrace.model.policy.Usage;
import io.millrace.quota.domain.budget.Allowance;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Plans one cluster: who may what, and who gives way. Pure: the same view, policy and instant give the same plan. */
public final class QuotaPlanner {

    private QuotaPlanner() {}

    public static QuotaPlan plan(final QuotaView view, final QuotaPolicy policy, final Instant now) {
        final Accounts accounts = Accounts.of(view, policy.restraint(), now);
        final ProcessorHours hours = new ProcessorHours(view, policy.hours(), view.askedElsewhere(), now);
        final Allowance allowance =
                new Allowance(view.budgets(), view.observed(), view.priority().classes(), now);
        final var entitlements =
                Entitlements.of(accounts, hours, allowance, view.assumed().idleCores());
        final DecayedUse used = new DecayedUse(view.priority().rules().halfLife(), now);
        new Priorities(view.priority(), accounts, allowance::left_percent, used, view.totalCores(), now)
                .weigh(entitlements);
        final Map<UserName, Usage> usage = Usages.of(view, accounts, hours, used);
        final Reclaims reclaims = new Reclaims(view, accounts, policy, now);
        reclaims.consider(entitlements, allowance::mayReclaim);
        final Optional<Instant> lookAgain = Stream.concat(
                        reclaims.lookAgain().stream(), view.quotas().nextChange(now).stream())
                .min(Comparator.naturalOrder());
        return new QuotaPlan(entitlements, usage, reclaims.commands(), reclaims.vetoes(), lookAgain);
    }
}
