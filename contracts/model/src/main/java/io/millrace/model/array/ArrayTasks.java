package io.millrace.model.array;

import org.jspecify.annotations.Nullable;

/**
 * The tasks of an array that a job represents. Waiting tasks form one job with many indices; a running task has a single index.
 *
 * @param array local id of the array, e.g. {@code 123} for Slurm's {@code 123_7}
 * @param indices sorted, as ranges: {@code 7}, {@code 1-9,12}, {@code 1-99:2}
 * @param tasks how many indices these are
 * @param maxConcurrent how many tasks of the array may run at once, null if not limited
 * @param freeSlots how many more may start now, null if not limited
 */
public record ArrayTasks(
        String array,
        String indices,
        int tasks,
        @Nullable Integer maxConcurrent,
        @Nullable Integer freeSlots) {

    public ArrayTasks {
        if (tasks < 1) {
            throw new IllegalArgumentException("an array has at least 1 task, got " + tasks + " of " + array);
        }
    }

    /** Tasks of an array of which it is not known how many run. */
    public ArrayTasks(
            final String array, final String indices, final int tasks, final @Nullable Integer maxConcurrent) {
        this(array, indices, tasks, maxConcurrent, null);
    }

    /** Whether the indices can be read, so that tasks can be named. */
    public boolean isReadable() {
        try {
            return ArrayIndices.count(indices) == tasks;
        } catch (final IllegalArgumentException e) {
            return false;
        }
    }

    /** One of its tasks, whichever is next. */
    public ArrayTasks one() {
        return new ArrayTasks(array, indices, 1, maxConcurrent, freeSlots);
    }

    /** Only these of its tasks. */
    public ArrayTasks only(final String some) {
        return new ArrayTasks(array, some, ArrayIndices.count(some), maxConcurrent, freeSlots);
    }

    /** Only the first of its tasks, at most so many. */
    public ArrayTasks first(final int atMost) {
        return atMost >= tasks ? this : only(ArrayIndices.first(indices, atMost));
    }

    public ArrayTasks withFreeSlots(final int slots) {
        return new ArrayTasks(array, indices, tasks, maxConcurrent, slots);
    }
}
