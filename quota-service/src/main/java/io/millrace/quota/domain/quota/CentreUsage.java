package io.millrace.quota.domain.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.Usage;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The newest usage of each user on each cluster, for quotas of all clusters. Sums only; no lock across clusters. */
public final class CentreUsage {

    private final Map<UserName, TreeMap<ClusterId, Usage>> byUser = new HashMap<>();

    /** Returns whether the use has changed. */
    public boolean put(final Usage usage) {
        final Usage before =
                byUser.computeIfAbsent(usage.user(), u -> new TreeMap<>()).put(usage.cluster(), usage);
        return before == null
                || before.cores() != usage.cores()
                || before.usedGpus() != usage.usedGpus()
                || !before.byProject().equals(usage.byProject());
    }

    /** Returns whether the user had any use there. */
    public boolean remove(final UserName user, final ClusterId on) {
        final Map<ClusterId, Usage> clusters = byUser.get(user);
        return clusters != null && clusters.remove(on) != null;
    }

    /** Cores and GPUs in use. */
    public record Use(long cores, long gpus) {
        Use plus(final Use more) {
            return new Use(cores + more.cores, gpus + more.gpus);
        }
    }

    private static final Use NONE = new Use(0, 0);

    /**
     * The use that counts against a quota of this holder on these clusters. Use for a member project counts once for its group.
     */
    public Use of(final QuotaHolder holder, final GroupTree groups, final Predicate<ClusterId> on) {
        if (holder.kind() == QuotaHolder.Kind.USER) {
            return all(
                            byUser.getOrDefault(UserName.of(holder.name()), new TreeMap<>())
                                    .values(),
                            on)
                    .stream()
                    .map(usage -> new Use(usage.cores(), usage.usedGpus()))
                    .reduce(NONE, Use::plus);
        }
        return byUser.values().stream()
                .flatMap(clusters -> all(clusters.values(), on).stream())
                .map(usage -> counted(usage, holder, groups))
                .reduce(NONE, Use::plus);
    }

    private static List<Usage> all(final Collection<Usage> usage, final Predicate<ClusterId> on) {
        return usage.stream().filter(one -> on.test(one.cluster())).toList();
    }

    private static Use counted(final Usage usage, final QuotaHolder holder, final GroupTree groups) {
        if (groups.pathOf(QuotaHolder.of(usage.user())).contains(holder)) {
            return new Use(usage.cores(), usage.usedGpus());
        }
        return usage.byProject().stream()
                .filter(use -> groups.pathOf(QuotaHolder.of(use.project())).contains(holder))
                .map(use -> new Use(use.cores(), use.gpus()))
                .reduce(NONE, Use::plus);
    }
}
