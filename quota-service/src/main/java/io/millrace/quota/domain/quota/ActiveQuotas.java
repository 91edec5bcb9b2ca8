package io.millrace.quota.domain.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
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
    /** Number of quotas of all clusters. */
    private int centreWide;
    /** Number of quotas that are more than one user's cores on one cluster. */
    private int coupled;

    /** @param defaultCores the quota of users without one; 0: all cores are borrowed */
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

    /** Removes the quota or the group with this key; returns the quota. */
    public Optional<Quota> remove(final String key) {
        final Optional<Quota> removed = Optional.ofNullable(byKey.remove(key));
        removed.ifPresent(quota -> count(quota, -1));
        groups.remove(key);
        return removed;
    }

    private void count(final Quota quota, final int sign) {
        centreWide += quota.cluster() == null ? sign : 0;
        coupled += isCoupled(quota) ? sign : 0;
    }

    public @Nullable Quota find(final UserName user, final ClusterId on) {
        return find(QuotaHolder.of(user), on);
    }

    /** @param on null: all clusters */
    public @Nullable Quota find(final QuotaHolder holder, final @Nullable ClusterId on) {
        return byKey.get(Quota.keyOf(holder, on));
    }

    /** Cores that the user's own quota guarantees there outside of periods, else the default. */
    public int coresOf(final UserName user, final ClusterId on) {
        final Quota quota = find(user, on);
        return quota == null ? defaultCores : quota.cores();
    }

    /** The sum of what users' quotas on this cluster guarantee now. */
    public long guaranteedOn(final ClusterId cluster, final Instant now) {
        return byKey.values().stream()
                .filter(quota -> cluster.equals(quota.cluster()) && quota.user() != null)
                .mapToLong(quota -> quota.coresAt(now))
                .sum();
    }

    public int defaultCores() {
        return defaultCores;
    }

    public GroupTree groups() {
        return groups;
    }

    /** Whether any quota applies to all clusters, so that use on other clusters matters. */
    public boolean isCentreWide() {
        return centreWide > 0;
    }

    private static boolean isCoupled(final Quota quota) {
        return quota.cluster() == null || quota.holder() != null || quota.terms() != null;
    }

    /** Whether each quota is one user's cores on one cluster, so that no account affects another. */
    public boolean isPlain() {
        return coupled == 0;
    }

    /** When the next period of a quota begins or ends. */
    public Optional<Instant> nextChange(final Instant now) {
        return byKey.values().stream()
                .flatMap(quota -> quota.nextChange(now).stream())
                .min(Comparator.naturalOrder());
    }

    public Collection<Quota> all() {
        return Collections.unmodifiableCollection(byKey.values());
    }
}
