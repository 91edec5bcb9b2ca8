package io.millrace.quota.domain;

import io.millrace.model.UserName;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Usage;
import io.millrace.quota.domain.budget.Allowance;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Plans one cluster: who may what, and who gives way. Pure: the same view, policy and instant give the same plan. */
public final class QuotaPlanner {

    private QuotaPlanner() {}

    public static QuotaPlan plan(final QuotaView view, final QuotaPolicy policy, final Instant now) {
        final Ways ways = new Ways(policy.modes(), view.assumed().marker().capabilities(), now);
        final Accounts accounts = Accounts.of(view, policy.restraint(), ways, now);
        final ProcessorHours hours = new ProcessorHours(view, policy.hours(), view.askedElsewhere(), now);
        final Allowance allowance =
                new Allowance(view.budgets(), view.observed(), view.priority().classes(), now);
        final var entitlements =
                Entitlements.of(accounts, hours, allowance, view.assumed().idleCores());
        final DecayedUse used = new DecayedUse(view.priority().rules().halfLife(), now);
        final Openings openings = new Openings(view.priority().rules(), view.observed());
        new Priorities(view.priority(), accounts, allowance::left_percent, openings, used, view.totalCores(), now)
                .weigh(entitlements);
        final Map<UserName, Usage> usage = Usages.of(view, accounts, hours, used);
        final Reclaims reclaims = new Reclaims(view, accounts, policy, ways, now);
        reclaims.consider(entitlements, allowance::mayReclaim);
        final List<Command> resumptions =
                new Resumptions(view, policy, reclaims.idleLeft(), reclaims.roomLeft(), now).commands();
        final Optional<Instant> lookAgain = Stream.concat(
                        reclaims.lookAgain().stream(), view.quotas().nextChange(now).stream())
                .min(Comparator.naturalOrder());
        return new QuotaPlan(
                entitlements,
                usage,
                reclaims.commands(),
                resumptions,
                reclaims.vetoes(),
                new Offers(view, reclaims).forAll(view.unplaced()),
                lookAgain);
    }
}
