package io.millrace.classifier.domain.estimate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The last runs of a bounded number of groups; the group that was not used for the longest time is forgotten first. */
final class RunGroups {

    private final int keptRuns;
    private final Map<JobProfile, RecentRuns> groups;

    RunGroups(final int keptRuns, final int keptGroups) {
        this.keptRuns = keptRuns;
        this.groups = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(final Map.Entry<JobProfile, RecentRuns> eldest) {
                return size() > keptGroups;
            }
        };
    }

    void add(final JobProfile group, final long run_s) {
        groups.computeIfAbsent(group, g -> new RecentRuns(keptRuns)).add(run_s);
    }

    @Nullable
    RecentRuns of(final JobProfile group) {
        return groups.get(group);
    }
}
