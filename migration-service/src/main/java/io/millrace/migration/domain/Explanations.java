package io.millrace.migration.domain;

import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Why waiting jobs wait, by group: which of them need a reason that they have not got yet. A bounded number at a time, so that no
 * transaction becomes large; the others follow with the next decision.
 */
public final class Explanations {

    /** The number of jobs of a group, oldest first, whose reason is the obstacle on each cluster; the others wait behind these. */
    static final int OLDEST = 10;

    private static final int AT_A_TIME = 500;

    private static final List<Veto> BEHIND = List.of(VetoCode.BEHIND_OLDER_JOBS.veto(
            "older jobs of its owner that request the same wait as well; their obstacles apply to it too"));

    /** @param vetoes the obstacle on each cluster */
    public record Explanation(GlobalJobId job, String reason, List<Veto> vetoes) {}

    /** @param oldest the jobs that got these vetoes as their reason */
    private record Explained(List<Veto> vetoes, Set<GlobalJobId> oldest) {}

    private final Map<WaitingGroup, Explained> explained = new HashMap<>();
    private final LinkedHashMap<WaitingGroup, List<Veto>> pending = new LinkedHashMap<>();

    /**
     * The obstacles of all blocked groups after a pass.
     *
     * @param changed the groups that gained or lost jobs since the last call
     */
    public void planned(final Map<WaitingGroup, List<Veto>> blocked, final Collection<WaitingGroup> changed) {
        explained.keySet().retainAll(blocked.keySet());
        pending.keySet().retainAll(blocked.keySet());
        blocked.forEach((group, vetoes) -> {
            final Explained before = explained.get(group);
            if (before == null || changed.contains(group) || !isSame(before.vetoes, vetoes)) {
                pending.put(group, vetoes);
            } else {
                pending.computeIfPresent(group, (g, old) -> vetoes);
            }
        });
    }

    /** Figures alone make no new explanation. Who closed a cluster, and why, does. */
    private static boolean isSame(final List<Veto> before, final List<Veto> now) {
        if (before.size() != now.size()) {
            return false;
        }
        for (int i = 0; i < before.size(); i++) {
            final Veto one = before.get(i);
            final Veto other = now.get(i);
            if (!one.code().equals(other.code()) || isClosure(one) && !one.equals(other)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isClosure(final Veto veto) {
        return VetoCode.CLUSTER_FENCED.isOf(veto) || VetoCode.CLUSTER_DRAINED.isOf(veto);
    }

    /** The next explanations to publish. */
    public List<Explanation> take() {
        final List<Explanation> all = new ArrayList<>();
        while (all.size() < AT_A_TIME && !pending.isEmpty()) {
            final Map.Entry<WaitingGroup, List<Veto>> next = pending.firstEntry();
            all.addAll(explain(next.getKey(), next.getValue()));
            pending.pollFirstEntry();
        }
        return all;
    }

    private List<Explanation> explain(final WaitingGroup group, final List<Veto> vetoes) {
        final List<Explanation> all = new ArrayList<>();
        final Explained before = explained.get(group);
        final Set<GlobalJobId> known = before == null || !isSame(before.vetoes, vetoes) ? Set.of() : before.oldest;
        final Set<GlobalJobId> oldest = new LinkedHashSet<>();
        final String summary = summary(vetoes);
        for (final GlobalJobId job : group.jobs()) {
            if (oldest.size() == OLDEST) {
                break;
            }
            oldest.add(job);
            if (!known.contains(job)) {
                all.add(new Explanation(job, summary, vetoes));
            }
        }
        explained.put(group, new Explained(vetoes, oldest));
        group.takeNewcomers().stream()
                .filter(job -> !oldest.contains(job))
                .map(job -> new Explanation(job, BEHIND.getFirst().reason(), BEHIND))
                .forEach(all::add);
        return all;
    }

    /** The obstacle on each cluster, in few words. */
    private static String summary(final List<Veto> vetoes) {
        final List<String> words = vetoes.stream()
                .map(veto -> PublishedPlans.clusterOf(veto) + " (" + veto.code() + ")")
                .toList();
        return "no cluster can run it now: " + String.join(", ", words);
    }

    public boolean isFinished() {
        return pending.isEmpty();
    }
}
