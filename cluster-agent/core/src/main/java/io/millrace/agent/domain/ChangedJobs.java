package io.millrace.agent.domain;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.JobObserved;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An immutable map of jobs with some values replaced. A further change costs time for the changes, not for all jobs. */
final class ChangedJobs extends AbstractMap<JobKey, JobObserved> {

    private final Map<JobKey, JobObserved> original;
    private final Map<JobKey, JobObserved> changes;

    private ChangedJobs(final Map<JobKey, JobObserved> original, final Map<JobKey, JobObserved> changes) {
        this.original = original;
        this.changes = changes;
    }

    /**
     * The jobs with this value of this key.
     *
     * @param jobs an immutable map
     * @throws IllegalArgumentException if the map does not contain the key
     */
    static Map<JobKey, JobObserved> with(
            final Map<JobKey, JobObserved> jobs, final JobKey key, final JobObserved changed) {
        if (!jobs.containsKey(key)) {
            throw new IllegalArgumentException("job " + key + " is not in the queue");
        }
        final ChangedJobs last = jobs instanceof ChangedJobs some ? some : new ChangedJobs(jobs, Map.of());
        final Map<JobKey, JobObserved> changes = new HashMap<>(last.changes);
        changes.put(key, changed);
        return new ChangedJobs(last.original, changes);
    }

    @Override
    public @Nullable JobObserved get(final @Nullable Object key) {
        final JobObserved changed = changes.get(key);
        return changed == null ? original.get(key) : changed;
    }

    @Override
    public boolean containsKey(final @Nullable Object key) {
        return original.containsKey(key);
    }

    @Override
    public int size() {
        return original.size();
    }

    @Override
    public Set<Entry<JobKey, JobObserved>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<JobKey, JobObserved>> iterator() {
                return original.entrySet().stream()
                        .map(entry -> Map.entry(entry.getKey(), changes.getOrDefault(entry.getKey(), entry.getValue())))
                        .iterator();
            }

            @Override
            public int size() {
                return original.size();
            }
        };
    }
}
