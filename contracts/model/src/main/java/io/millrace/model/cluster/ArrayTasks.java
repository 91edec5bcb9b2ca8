package io.millrace.model.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The tasks of an array that a job represents. Waiting tasks form one job with many indices; a running task has a single index.
 *
 * @param array local id of the array, e.g. {@code 123} for Slurm's {@code 123_7}
 * @param indices sorted, as ranges: {@code 7}, {@code 1-9,12}, {@code 1-99:2}
 * @param tasks how many indices these are
 * @param maxConcurrent how many tasks of the array may run at once, null if not limited
 */
public record ArrayTasks(
        String array, String indices, int tasks, @Nullable Integer maxConcurrent) {

    public ArrayTasks {
        if (tasks < 1) {
            throw new IllegalArgumentException("an array has at least 1 task, got " + tasks + " of " + array);
        }
    }
}
