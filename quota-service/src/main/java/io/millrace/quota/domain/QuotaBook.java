package io.millrace.quota.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.Quota;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The quotas in force. */
public final class QuotaBook {

    private final int defaultCores;
    private final Map<String, Quota> byKey = new HashMap<>();

    /** @param defaultCores the quota of whoever has none; 0: everything is borrowed */
    public QuotaBook(final int defaultCores) {
        if (defaultCores < 0) {
            throw new IllegalArgumentException("a default quota cannot be negative: " + defaultCores);
        }
        this.defaultCores = defaultCores;
    }

    public void put(final Quota quota) {
        byKey.put(quota.key(), quota);
    }

    public void remove(final String key) {
        byKey.remove(key);
    }

    public @Nullable Quota inForce(final UserName user, final ClusterId on) {
        return byKey.get(on + "/" + user);
    }

    /** Cores guaranteed to the user there (Q-4: a user without a quota has the default one). */
    public int coresOf(final UserName user, final ClusterId on) {
        final Quota quota = inForce(user, on);
        return quota == null ? defaultCores : quota.cores();
    }

    public Collection<Quota> all() {
        return Collections.unmodifiableCollection(byKey.values());
    }
}
