package io.millrace.agent.slurm.query;

import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.JobObserved;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many tasks of an array may run at once (ArrayTaskThrottle). squeue does not print it beside the last waiting task, nor beside tasks
 * that it merges with others that wait for their start, although it counts for them as well.
 */
public final class ArrayThrottles {

    private Map<String, Integer> known = Map.of();

    /**
     * The same jobs; where the limit of an array is not printed, the waiting tasks have the one that was printed last.
     *
     * @param merged ids of the arrays into whose rows other tasks were merged
     */
    public synchronized List<JobObserved> complete(final List<JobObserved> jobs, final Set<String> merged) {
        final Map<String, Integer> limits = new HashMap<>();
        final Set<String> unlimited = new HashSet<>();
        for (final JobObserved job : jobs) {
            final ArrayTasks tasks = job.detail().array();
            if (tasks != null && tasks.maxConcurrent() != null) {
                limits.put(tasks.array(), tasks.maxConcurrent());
            } else if (tasks != null && isRowOfArray(job, tasks) && !merged.contains(tasks.array())) {
                unlimited.add(tasks.array());
            } else if (tasks != null && known.containsKey(tasks.array())) {
                limits.putIfAbsent(tasks.array(), known.get(tasks.array()));
            }
        }
        limits.keySet().removeAll(unlimited);
        known = limits;
        return limits.isEmpty()
                ? jobs
                : jobs.stream().map(job -> completed(job, limits)).toList();
    }

    private static boolean isRowOfArray(final JobObserved job, final ArrayTasks tasks) {
        return job.job().id().local().equals(tasks.array());
    }

    private static JobObserved completed(final JobObserved job, final Map<String, Integer> limits) {
        final ArrayTasks tasks = job.detail().array();
        return tasks == null || tasks.maxConcurrent() != null || !job.state().isWaiting()
                ? job
                : job.with(job.detail()
                        .with(new ArrayTasks(
                                tasks.array(), tasks.indices(), tasks.tasks(), limits.get(tasks.array()))));
    }
}
