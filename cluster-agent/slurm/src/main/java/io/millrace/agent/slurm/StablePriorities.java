package io.millrace.agent.slurm;

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
 * Keeps the figure that a waiting job was last shown with as long as nothing but its age has changed. With Slurm's multifactor
 * priorities all waiting jobs grow at every look; what matters is their order, and that stays. So a figure is renewed when
 * something else about its job changed, or when the figures shown would no longer have the jobs in Slurm's order.
 */
final class StablePriorities {

    private static final int ROUNDS = 16;

    private Map<JobKey, JobObserved> shown = new HashMap<>();

    /** The same jobs, most of them with the figure of the last look. */
    synchronized List<JobObserved> stabilize(final List<JobObserved> jobs) {
        final Map<JobKey, Long> kept = new HashMap<>();
        for (final JobObserved job : jobs) {
            final JobObserved before = shown.get(job.job());
            if (before != null
                    && before.priority() != job.priority()
                    && job.equals(before.withPriority(job.priority()))) {
                kept.put(job.job(), before.priority());
            }
        }
        renewWhatIsOutOfOrder(jobs, kept);
        final List<JobObserved> steady = jobs.stream()
                .map(job -> kept.containsKey(job.job()) ? shown.getOrDefault(job.job(), job) : job)
                .toList();
        final Map<JobKey, JobObserved> next = new HashMap<>();
        steady.forEach(job -> next.put(job.job(), job));
        shown = next;
        return steady;
    }

    /** Neighbours in Slurm's order must be in that order by the figures shown, too; equal ones equal. */
    private static void renewWhatIsOutOfOrder(final List<JobObserved> jobs, final Map<JobKey, Long> kept) {
        final List<JobObserved> waiting = new ArrayList<>(jobs);
        waiting.removeIf(job -> !job.state().isWaiting());
        waiting.sort(Comparator.comparingLong(JobObserved::priority));
        for (int round = 0; round < ROUNDS && !kept.isEmpty(); round++) {
            final Set<JobKey> renewed = outOfOrder(waiting, kept);
            if (renewed.isEmpty()) {
                return;
            }
            kept.keySet().removeAll(renewed);
        }
        kept.clear();
    }

    private static Set<JobKey> outOfOrder(final List<JobObserved> waiting, final Map<JobKey, Long> kept) {
        final Set<JobKey> renewed = new HashSet<>();
        for (int at = 1; at < waiting.size(); at++) {
            final JobObserved lower = waiting.get(at - 1);
            final JobObserved upper = waiting.get(at);
            final int now = Long.compare(lower.priority(), upper.priority());
            if (now != Long.compare(figure(lower, kept), figure(upper, kept))) {
                renewed.add(lower.job());
                renewed.add(upper.job());
            }
        }
        renewed.retainAll(kept.keySet());
        return renewed;
    }

    private static long figure(final JobObserved job, final Map<JobKey, Long> kept) {
        return kept.getOrDefault(job.job(), job.priority());
    }
}
