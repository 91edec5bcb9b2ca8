package io.millrace.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.Usage;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** The processor time that users' jobs request on each cluster, for limits over all clusters. Sums only; no lock across clusters. */
final class RequestedProcessorTime {

    private final Map<String, Usage> byKey = new HashMap<>();
    private final Map<UserName, Long> requested = new HashMap<>();
    private final Map<UserName, NavigableMap<ClusterId, Long>> queued = new HashMap<>();

    /** Returns whether the requested time changed. */
    boolean put(final Usage usage) {
        final Usage before = byKey.put(usage.key(), usage);
        final boolean queuedChanged = putQueued(usage.user(), usage.cluster(), usage.queued_core_s());
        return count(usage.user(), usage.requestedCoreSeconds() - (before == null ? 0 : before.requestedCoreSeconds()))
                || queuedChanged;
    }

    /** Returns whether the requested time changed. */
    boolean remove(final String key) {
        final Usage before = byKey.remove(key);
        if (before == null) {
            return false;
        }
        final boolean queuedChanged = putQueued(before.user(), before.cluster(), 0);
        return count(before.user(), -before.requestedCoreSeconds()) || queuedChanged;
    }

    private boolean count(final UserName user, final long more_core_s) {
        requested.merge(user, more_core_s, Long::sum);
        requested.remove(user, 0L);
        return more_core_s != 0;
    }

    private boolean putQueued(final UserName user, final ClusterId on, final long core_s) {
        final NavigableMap<ClusterId, Long> byCluster = queued.computeIfAbsent(user, u -> new TreeMap<>());
        final Long before = core_s == 0 ? byCluster.remove(on) : byCluster.put(on, core_s);
        if (byCluster.isEmpty()) {
            queued.remove(user);
        }
        return core_s != (before == null ? 0 : before);
    }

    /**
     * Core-seconds that a user's running jobs request on all other clusters, and released jobs on clusters whose name sorts before this one:
     * of two clusters that could both release a job, the first one does.
     */
    ToLongFunction<UserName> requestedElsewhere_core_s(final ClusterId cluster) {
        return user -> {
            final Usage usage = byKey.get(cluster + "/" + user);
            final NavigableMap<ClusterId, Long> byCluster = queued.getOrDefault(user, Collections.emptyNavigableMap());
            return requested.getOrDefault(user, 0L)
                    - (usage == null ? 0 : usage.requestedCoreSeconds())
                    + byCluster.headMap(cluster, false).values().stream()
                            .mapToLong(Long::longValue)
                            .sum();
        };
    }
}
