package io.millrace.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.Usage;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The figures of all clusters, so that limits hold for the whole centre: sums kept per cluster and merged, no lock over all. */
final class UsageBook {

    private final Map<String, Usage> byKey = new HashMap<>();
    private final Map<UserName, Long> asked = new HashMap<>();

    /** Returns whether this changes what somebody has asked for. */
    boolean put(final Usage usage) {
        final Usage before = byKey.put(usage.key(), usage);
        return count(usage.user(), usage.asked_core_s() - (before == null ? 0 : before.asked_core_s()));
    }

    /** Returns whether this changes what somebody has asked for. */
    boolean remove(final String key) {
        final Usage before = byKey.remove(key);
        return before != null && count(before.user(), -before.asked_core_s());
    }

    private boolean count(final UserName user, final long more_core_s) {
        asked.merge(user, more_core_s, Long::sum);
        asked.remove(user, 0L);
        return more_core_s != 0;
    }

    /** Core-seconds that a user's running jobs have asked for on all clusters but this. */
    ToLongFunction<UserName> askedElsewhere(final ClusterId cluster) {
        return user -> {
            final Usage here = byKey.get(cluster + "/" + user);
            return asked.getOrDefault(user, 0L) - (here == null ? 0 : here.asked_core_s());
        };
    }
}
