package io.millrace.agent.wlm;

import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Groups the pending tasks of arrays in a listing with one line per task: pending tasks in the same state are observed as one job. Workload
 * managers differ in which tasks can be grouped, and in what makes them equal.
 *
 * @param <L> a line of the listing: a job, or one task of an array
 * @param <S> the observation of one line or of a group of lines
 */
public interface PendingArrays<L, S> {

    /** Whether the line is a task that can be grouped with others. */
    boolean isGroupable(L line);

    JobKey array(L task);

    /** Index of a task in its array. */
    int index(L task);

    /** Equal for tasks that belong to the same group. */
    Object groupKey(L task);

    S single(L line);

    /** @param tasks a group of one array, lowest index first, at least one */
    S group(JobKey array, List<L> tasks);

    /** The observations in the order of the lines. If an array has several groups, only the largest is observed as one job. */
    default List<S> of(final List<L> lines) {
        final Map<JobKey, List<L>> arrays = new LinkedHashMap<>();
        for (final L line : lines) {
            if (isGroupable(line)) {
                arrays.computeIfAbsent(array(line), key -> new ArrayList<>()).add(line);
            }
        }
        final Map<L, S> groups = new IdentityHashMap<>();
        arrays.forEach((array, tasks) -> {
            final List<L> most = most(tasks);
            final S one = group(array, most);
            most.forEach(task -> groups.put(task, one));
        });
        return lines.stream()
                .map(line -> Objects.requireNonNullElseGet(groups.get(line), () -> single(line)))
                .distinct()
                .toList();
    }

    private List<L> most(final List<L> tasks) {
        final Map<Object, List<L>> alike =
                tasks.stream().collect(Collectors.groupingBy(this::groupKey, LinkedHashMap::new, Collectors.toList()));
        return alike.values().stream().reduce((a, b) -> b.size() > a.size() ? b : a).orElseThrow().stream()
                .sorted(Comparator.comparingInt(this::index))
                .toList();
    }
}
