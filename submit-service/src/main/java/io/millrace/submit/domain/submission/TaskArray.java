package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.script.JobSetting;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of an array of global jobs.
 *
 * @param indices ascending, without repetitions
 * @param maxConcurrent how many may be placed at a time; null if not limited
 */
public record TaskArray(List<Integer> indices, @Nullable Integer maxConcurrent) {

    public TaskArray {
        indices = List.copyOf(indices);
    }

    /** @throws IllegalArgumentException if it has too many tasks */
    static TaskArray of(final JobSetting.Array setting) {
        final long count = setting.ranges().stream()
                .mapToLong(range -> ((long) range.last() - range.first()) / range.step() + 1)
                .sum();
        if (count > BatchId.MAX_JOBS) {
            throw new IllegalArgumentException(
                    "has " + count + " tasks; the maximum is " + BatchId.MAX_JOBS + ". Submit several arrays");
        }
        final List<Integer> indices = setting.ranges().stream()
                .flatMap(range -> IntStream.iterate(range.first(), i -> i <= range.last(), i -> i + range.step())
                        .boxed())
                .distinct()
                .sorted()
                .toList();
        return new TaskArray(indices, setting.maxRunning() == 0 ? null : setting.maxRunning());
    }
}
