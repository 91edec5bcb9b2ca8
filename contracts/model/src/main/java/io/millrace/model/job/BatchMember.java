package io.millrace.model.job;

import io.millrace.model.BatchId;
import org.jspecify.annotations.Nullable;

/**
 * The place of a job in its batch.
 *
 * @param index of the task, if the batch is an array; otherwise the position of the directory, from 1
 * @param size the number of jobs of the batch
 * @param maxConcurrent how many jobs of the batch may be placed at a time; null if not limited
 */
public record BatchMember(
        BatchId batch, int index, int size, @Nullable Integer maxConcurrent) {

    public BatchMember {
        if (size < 1 || index < 0) {
            throw new IllegalArgumentException(
                    "a batch has at least 1 job, with an index of at least 0; got " + size + " and " + index);
        }
        if (maxConcurrent != null && maxConcurrent < 1) {
            throw new IllegalArgumentException("a limit of jobs at a time must be at least 1, got " + maxConcurrent);
        }
    }
}
