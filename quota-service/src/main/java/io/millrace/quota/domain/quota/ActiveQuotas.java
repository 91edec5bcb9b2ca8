package io.millrace.quota.domain.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaGroup;
import io.millrace.model.policy.QuotaHolder;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The quotas in force, and the tree of groups above users and projects. */
public final class ActiveQuotas {

    private final int defaultCores;
    private final Map<String, Quota> byKey = new HashMap<>();
    private final GroupTree groups = new GroupTree();
    /** How many of the quotas hold for all clusters together. */
    private int centreWide;
    /** How many of the quotas are more than one user's cores on one cluster. */
    private int coupled;

    /** @param defaultCores the quota of whoever has none; 0: everything is borrowed */
    public ActiveQuotas(final int defaultCores) {
        if (defaultCores < 0) {
            throw new IllegalArgumentException("a default quota cannot be negative: " + defaultCores);
        }
        this.defaultCores = defaultCores;
    }

    public void put(final Quota quota) {
        remove(quota.key());
        byKey.put(quota.key(), quota);
        count(quota, 1);
    }

    public void put(final QuotaGroup group) {
        groups.put(group);
    }

    /** Takes off the quota or the group of this key. */
    public void remove(final String key) {
        final Quota gone = byKey.remove(key);
        if (gone != null) {
            count(gone, -1);
        }
        groups.remove(key);
    }

    private void count(final Quota quota, final int sign) {
        centreWide += quota.cluster() == null ? sign : 0;
        coupled += isCoupled(quota) ? sign : 0;
    }

    public @Nullable Quota find(final UserName user, final ClusterId on) {
        return find(QuotaHolder.of(user), on);
    }

    /** @param on null: on all clusters together */
    public @Nullable Quota find(final QuotaHolder holder, final @Nullable ClusterId on) {
        return byKey.get(Quota.keyOf(holder, on));
    }

    /** Cores guaranteed to the user there by a quota of their own at ordinary times (Q-4: who has none has the default one). */
    public int coresOf(final UserName user, final ClusterId on) {
        final Quota quota = find(user, on);
        return quota == null ? defaultCores : quota.cores();
    }

    /** What quotas of users on this cluster guarantee now, taken together. */
    public long guaranteedOn(final ClusterId cluster, final Instant now) {
        return byKey.values().stream()
                .filter(quota -> cluster.equals(quota.cluster()) && quota.heldBy().kind() == QuotaHolder.Kind.USER)
                .mapToLong(quota -> quota.coresAt(now))
                .sum();
    }

    public int defaultCores() {
        return defaultCores;
    }

    public GroupTree groups() {
        return groups;
    }

    /** Whether any quota holds for all clusters together, so that use elsewhere matters. */
    public boolean isCentreWide() {
        return centreWide > 0;
    }

    private static boolean isCoupled(final Quota quota) {
        return quota.cluster() == null || quota.holder() != null || quota.terms() != null;
    }

    /** Whether every quota is one user's cores on one cluster, so that nobody else's work changes what it guarantees. */
    public boolean isPlain() {
        return coupled == 0;
    }

    /** When a period of some quota begins or ends next. */
    public Optional<Instant> nextChange(final Instant now) {
        return byKey.values().stream()
                .flatMap(quota -> quota.nextChange(now).stream())
                .min(Comparator.naturalOrder());
    }

    public Collection<Quota> all() {
        return Collections.unmodifiableCollection(byKey.values());
    }
}
