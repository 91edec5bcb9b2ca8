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
 * The arrays of a listing that has a line for every task: those tasks of an array that wait alike are shown as one job. Which tasks may be,
 * and what makes them alike, differs between workload managers.
 *
 * @param <L> a line of the listing: a job, or one task of an array
 * @param <S> what is shown for one or several of them
 */
public interface PendingArrays<L, S> {

    /** Whether this is a task that may be shown together with others. */
    boolean isGroupable(L line);

    JobKey array(L task);

    /** Index of a task in its array. */
    int index(L task);

    /** Equal for tasks that may stand for each other. */
    Object groupKey(L task);

    S single(L line);

    /** @param tasks of one array that wait alike, lowest index first, at least one */
    S group(JobKey array, List<L> tasks);

    /** What is shown of all these, in their order; of an array whose tasks wait in several ways, the most of them are one. */
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
