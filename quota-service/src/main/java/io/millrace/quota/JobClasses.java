package io.millrace.quota;

import io.millrace.model.JobKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The classes of a cluster's jobs; of those that have left for as long as their end may still be told. */
final class JobClasses {

    /** More than end between a job's leaving the queue and its accounting. */
    private static final int REMEMBERED = 10_000;

    private final Map<JobKey, List<String>> standing = new HashMap<>();
    private final Map<JobKey, List<String>> left = new LinkedHashMap<>();

    /** Takes the classes of a job; null: it has left. */
    void put(final JobKey job, final @Nullable List<String> classes) {
        if (classes != null) {
            standing.put(job, classes);
            return;
        }
        final List<String> last = standing.remove(job);
        if (last != null && left.put(job, last) == null && left.size() > REMEMBERED) {
            left.remove(left.keySet().iterator().next());
        }
    }

    /** Empty if it has none or they are not known. */
    List<String> of(final JobKey job) {
        return standing.getOrDefault(job, left.getOrDefault(job, List.of()));
    }
}
