package io.millrace.migration.domain.view;

import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** What the next decision visits: jobs and clusters that have changed since the last one, and whether waiting jobs may find a place. */
public final class DueWork {

    private final Set<GlobalJobId> changedJobs = new HashSet<>();
    private final Map<ClusterId, Set<GlobalJobId>> blockedOn = new TreeMap<>();
    private final Set<ClusterId> revised = new TreeSet<>();
    private boolean placement = true;

    public void changed(final GlobalJobId job) {
        changedJobs.add(job);
    }

    /** Visits the changed jobs in the order of their ids; a visit follows the changes that it causes itself. */
    public void forEachChanged(final Predicate<GlobalJobId> filter, final Consumer<GlobalJobId> visit) {
        changedJobs.stream().filter(filter).sorted().toList().forEach(visit);
        changedJobs.clear();
    }

    /** The job waits until something changes on this cluster. */
    public void blocked(final GlobalJobId job, final ClusterId cluster) {
        blockedOn.computeIfAbsent(cluster, c -> new HashSet<>()).add(job);
    }

    public void unblock(final ClusterId cluster) {
        final Set<GlobalJobId> blocked = blockedOn.remove(cluster);
        if (blocked != null) {
            changedJobs.addAll(blocked);
        }
    }

    public void revised(final ClusterId cluster) {
        revised.add(cluster);
    }

    public Set<ClusterId> revisedClusters() {
        return revised;
    }

    public Set<ClusterId> takeRevisedClusters() {
        final Set<ClusterId> taken = new TreeSet<>(revised);
        revised.clear();
        return taken;
    }

    public void setPlacement(final boolean isDue) {
        placement = isDue;
    }

    public boolean isPlacementDue() {
        return placement;
    }
}
