package io.millrace.submit;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.UserName;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.Request.QuotaAsked;
import io.millrace.model.policy.Usage;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.ShownQuota;
import io.millrace.submit.store.Facts;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Quotas in force, what is used of them, and changes under way. */
@ApplicationScoped
public class ShowQuotas {

    private final Facts facts;

    ShowQuotas(final Facts facts) {
        this.facts = facts;
    }

    @Transactional
    public ShownQuota quota(final ClusterId cluster, final UserName user) {
        final String key = cluster + "/" + user;
        return new ShownQuota(
                cluster,
                user,
                facts.find(Topic.QUOTAS, key, Quota.class).orElse(null),
                facts.find(Topic.USAGE, key, Usage.class).orElse(null),
                facts.find(Topic.REQUESTS, key, QuotaAsked.class).orElse(null));
    }

    /** By cluster and user; {@code user} null: everybody's. */
    @Transactional
    public List<ShownQuota> quotas(final @Nullable UserName user) {
        final Map<String, Quota> inForce = byKey(user, Quota.class);
        final Map<String, Usage> usage = byKey(user, Usage.class);
        final Map<String, QuotaAsked> asked = byKey(user, QuotaAsked.class);
        final TreeSet<String> keys = new TreeSet<>(inForce.keySet());
        keys.addAll(usage.keySet());
        keys.addAll(asked.keySet());
        return keys.stream()
                .map(key -> new ShownQuota(
                        ClusterId.of(key.substring(0, key.indexOf('/'))),
                        UserName.of(key.substring(key.indexOf('/') + 1)),
                        inForce.get(key),
                        usage.get(key),
                        asked.get(key)))
                .toList();
    }

    private <E extends Event> Map<String, E> byKey(final @Nullable UserName user, final Class<E> type) {
        final List<E> found = user == null ? facts.all(type) : facts.about(List.of(user.value()), type);
        return found.stream().collect(Collectors.toMap(Event::key, Function.identity()));
    }
}
