package io.millrace.agent.slurm.query;

import io.millrace.model.array.ArrayIndices;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The id that identifies one row of squeue in Slurm's commands. The pending tasks of an array share one row under the array's id. In a
 * command, the array's id would include running tasks, so the pending tasks are listed: {@code 7_[3,5,20-40]}. The first component of
 * a heterogeneous job identifies the whole job, because Slurm changes its components only together.
 */
public final class TargetId {

    private TargetId() {}

    public static String of(final QueuedJob job) {
        final String shown = job.cell("jobarrayid");
        if (isPendingArray(job)) {
            return shown.replaceFirst("%\\d+]$", "]"); // without the task limit, which stays unchanged
        }
        return isHeterogeneous(job) ? shown.substring(0, shown.indexOf('+')) : shown;
    }

    /**
     * Tasks of an array in the form of Slurm's commands, {@code 7_[3,5,20-40]}. They refuse steps ({@code 1-9:2}), which
     * {@link ArrayIndices} writes.
     *
     * @param indices may end with a task limit
     */
    public static String of(final String array, final String indices) {
        final int percent = indices.indexOf('%');
        final String tasks = percent < 0 ? indices : indices.substring(0, percent);
        final String limit = percent < 0 ? "" : indices.substring(percent);
        return array + "_["
                + Arrays.stream(tasks.split(","))
                        .map(series -> series.indexOf(':') < 0
                                ? series
                                : ArrayIndices.read(series)
                                        .mapToObj(Integer::toString)
                                        .collect(Collectors.joining(",")))
                        .collect(Collectors.joining(","))
                + limit + "]";
    }

    /** Whether the row represents the pending tasks of an array. */
    public static boolean isPendingArray(final QueuedJob job) {
        return job.cell("jobarrayid").indexOf('[') >= 0;
    }

    /** The pending task that Slurm starts first: {@code 7_3}. */
    public static String nextTask(final QueuedJob job) {
        final String tasks = of(job);
        final int open = tasks.indexOf('[');
        int end = open + 1;
        while (Character.isDigit(tasks.charAt(end))) {
            end++;
        }
        return tasks.substring(0, open) + tasks.substring(open + 1, end);
    }

    /** Whether the row is a component of a heterogeneous job: {@code 9+0}, {@code 9+1}. */
    static boolean isHeterogeneous(final QueuedJob job) {
        return job.cell("jobarrayid").indexOf('+') >= 0;
    }

    public static boolean isLaterComponent(final QueuedJob job) {
        return isHeterogeneous(job) && !job.cell("jobarrayid").endsWith("+0");
    }
}
