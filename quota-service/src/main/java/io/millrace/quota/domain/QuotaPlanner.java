package io.millrace.quota.domain;

import io.millrace.model.UserName;
import io.millrace.model.policy.Usage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Plans one cluster: who may what, and who gives way. Pure: the same view, policy and instant give the same plan. */
public final class QuotaPlanner {

    private QuotaPlanner() {}

    public static QuotaPlan plan(final QuotaView view, final QuotaPolicy policy, final Instant now) {
        final Accounts accounts = Accounts.of(view, policy.restraint(), now);
        final ProcessorHours hours = new ProcessorHours(view, policy.hours(), view.askedElsewhere(), now);
        final var entitlements = Entitlements.of(accounts, hours);
        final Map<UserName, Usage> usage = new LinkedHashMap<>();
        accounts.all().forEach(account -> usage.put(account.owner(), accounts.usage(account, hours)));
        final Reclaims reclaims = new Reclaims(view, accounts, policy, now);
        reclaims.consider(entitlements);
        return new QuotaPlan(entitlements, usage, reclaims.commands(), reclaims.vetoes(), reclaims.lookAgain());
    }
}
