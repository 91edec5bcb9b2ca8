package io.millrace.quota;

import io.millrace.model.JobKey;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The classes of a cluster's jobs; kept after a job has left until its end is known. */
final class JobClasses {

    /** More than the jobs that end between leaving the queue and their accounting. */
    private static final int REMEMBERED = 10_000;

    private final Map<JobKey, List<String>> current = new HashMap<>();
    private final Map<JobKey, List<String>> left = new LinkedHashMap<>();

    /** Applies the classes of a job; null: the job has left. */
    void put(final JobKey job, final @Nullable List<String> classes) {
        if (classes != null) {
            current.put(job, classes);
            return;
        }
        final List<String> last = current.remove(job);
        if (last != null && left.put(job, last) == null && left.size() > REMEMBERED) {
            left.remove(left.keySet().iterator().next());
        }
    }

    /** Empty if the job has none or they are not known. */
    List<String> of(final JobKey job) {
        return current.getOrDefault(job, left.getOrDefault(job, List.of()));
    }
}
