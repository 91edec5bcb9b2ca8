package io.millrace.agent.slurm.query;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Keeps the published priority of a pending job stable while only its age changes. With priority/multifactor, the priority of every
 * pending job grows between observations, but decisions depend only on their order. A priority is updated when another attribute of its
 * job changes, or when the published priorities would no longer be in Slurm's order.
 */
public final class StablePriorities {

    private static final int MAX_ROUNDS = 16;

    private Map<JobKey, JobObserved> published = new HashMap<>();

    /** The same jobs, most of them with the previously published priority. */
    public synchronized List<JobObserved> stabilize(final List<JobObserved> jobs) {
        final Map<JobKey, Long> kept = new HashMap<>();
        for (final JobObserved job : jobs) {
            final JobObserved before = published.get(job.job());
            if (before != null
                    && before.priority() != job.priority()
                    && job.equals(before.withPriority(job.priority()))) {
                kept.put(job.job(), before.priority());
            }
        }
        updateOutOfOrder(jobs, kept);
        final List<JobObserved> steady = jobs.stream()
                .map(job -> kept.containsKey(job.job()) ? published.getOrDefault(job.job(), job) : job)
                .toList();
        final Map<JobKey, JobObserved> next = new HashMap<>();
        steady.forEach(job -> next.put(job.job(), job));
        published = next;
        return steady;
    }

    /** Any two neighbours in Slurm's order must have published priorities in the same order, and equal ones if Slurm's are equal. */
    private static void updateOutOfOrder(final List<JobObserved> jobs, final Map<JobKey, Long> kept) {
        final List<JobObserved> pending = new ArrayList<>(jobs);
        pending.removeIf(job -> !job.state().isWaiting());
        pending.sort(Comparator.comparingLong(JobObserved::priority));
        for (int round = 0; round < MAX_ROUNDS && !kept.isEmpty(); round++) {
            final Set<JobKey> updated = outOfOrder(pending, kept);
            if (updated.isEmpty()) {
                return;
            }
            kept.keySet().removeAll(updated);
        }
        kept.clear();
    }

    private static Set<JobKey> outOfOrder(final List<JobObserved> pending, final Map<JobKey, Long> kept) {
        final Set<JobKey> updated = new HashSet<>();
        for (int at = 1; at < pending.size(); at++) {
            final JobObserved lower = pending.get(at - 1);
            final JobObserved upper = pending.get(at);
            final int now = Long.compare(lower.priority(), upper.priority());
            if (now != Long.compare(priority(lower, kept), priority(upper, kept))) {
                updated.add(lower.job());
                updated.add(upper.job());
            }
        }
        updated.retainAll(kept.keySet());
        return updated;
    }

    private static long priority(final JobObserved job, final Map<JobKey, Long> kept) {
        return kept.getOrDefault(job.job(), job.priority());
    }
}
