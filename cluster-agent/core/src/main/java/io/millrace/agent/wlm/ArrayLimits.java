package io.millrace.agent.wlm;

import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the running tasks of arrays that limit them. A start command of a workload manager may ignore the limit, and a workload manager
 * does not report it as the reason of a task that is held.
 */
final class ArrayLimits {

    private ArrayLimits() {}

    /** The jobs with the free slots of their arrays. A waiting task without a free slot is not eligible. */
    static List<JobObserved> applied(final List<JobObserved> jobs) {
        final Map<String, Integer> free = new HashMap<>();
        for (final JobObserved job : jobs) {
            final ArrayTasks tasks = job.detail().array();
            if (tasks != null && tasks.maxConcurrent() != null) {
                free.put(tasks.array(), tasks.maxConcurrent());
            }
        }
        if (free.isEmpty()) {
            return jobs;
        }
        jobs.stream()
                .filter(ArrayLimits::takesSlot)
                .forEach(job -> free.computeIfPresent(array(job), (array, slots) -> slots - 1));
        return jobs.stream()
                .map(job -> {
                    final Integer slots = job.state().isWaiting() ? free.get(array(job)) : null;
                    return slots == null ? job : limited(job, Math.max(0, slots));
                })
                .toList();
    }

    /** A record under the array's own id represents waiting tasks. */
    private static boolean takesSlot(final JobObserved job) {
        final boolean runs = job.state().occupiesCores() || job.state() instanceof JobState.Suspended;
        return runs && !array(job).equals(job.job().id().local());
    }

    private static String array(final JobObserved job) {
        final ArrayTasks tasks = job.detail().array();
        return tasks == null ? "" : tasks.array();
    }

    private static JobObserved limited(final JobObserved job, final int slots) {
        final ArrayTasks tasks = job.detail().array();
        final JobObserved counted = tasks == null ? job : job.with(job.detail().with(tasks.withFreeSlots(slots)));
        return slots == 0 && counted.eligibility() instanceof Eligibility.EligibleSince
                ? counted.with(Eligibility.not(Obstacle.ARRAY_LIMIT))
                : counted;
    }
}
