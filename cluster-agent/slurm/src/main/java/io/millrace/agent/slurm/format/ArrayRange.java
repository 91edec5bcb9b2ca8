package io.millrace.agent.slurm.format;

import io.millrace.model.array.ArrayTasks;
import org.jspecify.annotations.Nullable;

/**
 * The array tasks of a row, from its {@code jobarrayid}: {@code 12_7}, {@code 12_[1-9:2,20%3]}. Slurm truncates long lists unless
 * {@code SLURM_BITSTR_LEN} is 0, see {@code SlurmSite.queryEnvironment}.
 *
 * @param indices as Slurm prints them, without the brackets and the limit
 * @param tasks the number of tasks
 * @param atOnce the maximum number of tasks that run at the same time; null means unlimited
 * @param first the lowest index
 * @param together whether the row represents several pending tasks (printed in brackets)
 */
public record ArrayRange(
        String indices, int tasks, @Nullable Integer atOnce, int first, boolean together) {

    /**
     * The tasks; null for a job outside an array.
     *
     * @throws IllegalArgumentException if the list is truncated or invalid
     */
    static @Nullable public ArrayRange read(final String jobArrayId) {
        final int bar = jobArrayId.indexOf('_');
        if (bar < 0) {
            return null;
        }
        final String task = jobArrayId.substring(bar + 1);
        if (!task.startsWith("[")) {
            return new ArrayRange(task, 1, null, Integer.parseInt(task), false);
        }
        if (!task.endsWith("]") || task.contains("...")) {
            throw new IllegalArgumentException(
                    "the task list '" + jobArrayId + "' is truncated although SLURM_BITSTR_LEN is 0");
        }
        final String inside = task.substring(1, task.length() - 1);
        final int percent = inside.indexOf('%');
        final String indices = percent < 0 ? inside : inside.substring(0, percent);
        final Integer atOnce = percent < 0 ? null : Integer.valueOf(inside.substring(percent + 1));
        int tasks = 0;
        int first = Integer.MAX_VALUE;
        for (final String range : indices.split(",")) {
            final int from = from(range);
            tasks += count(range, from);
            first = Math.min(first, from);
        }
        // Slurm prints %0 for "unlimited".
        return new ArrayRange(indices, tasks, atOnce != null && atOnce == 0 ? null : atOnce, first, true);
    }

    private static int from(final String range) {
        final int dash = range.indexOf('-');
        return Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
    }

    private static int count(final String range, final int from) {
        final int dash = range.indexOf('-');
        if (dash < 0) {
            return 1;
        }
        final String[] end = range.substring(dash + 1).split(":", 2);
        final int step = end.length < 2 ? 1 : Math.max(1, Integer.parseInt(end[1]));
        return (Integer.parseInt(end[0]) - from) / step + 1;
    }

    public ArrayTasks of(final String array) {
        return new ArrayTasks(array, indices, tasks, atOnce);
    }
}
