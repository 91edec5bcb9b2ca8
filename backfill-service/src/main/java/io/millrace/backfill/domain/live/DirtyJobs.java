package io.millrace.backfill.domain.live;

import io.millrace.decide.ClusterListener;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Jobs and nodes of a cluster that have changed since the last update. Initially everything counts as changed. */
public final class DirtyJobs implements ClusterListener {

    private final Set<JobKey> jobs = new LinkedHashSet<>();
    private final List<NodeObserved> nodes = new ArrayList<>();
    private boolean inventory = true;
    private boolean all = true;

    @Override
    public void jobChanged(final JobKey job) {
        if (!all) {
            jobs.add(job);
        }
    }

    @Override
    public void nodeChanged(final @Nullable NodeObserved before, final @Nullable NodeObserved now) {
        if (inventory || Objects.equals(before, now)) {
            return;
        }
        if (before == null || now == null || !isAlike(before, now)) {
            markInventory();
        } else if (now.availability() == Availability.UP) {
            nodes.add(now);
        }
    }

    private static boolean isAlike(final NodeObserved one, final NodeObserved other) {
        return one.availability() == other.availability()
                && one.total().equals(other.total())
                && one.features().equals(other.features())
                && one.partitions().equals(other.partitions());
    }

    @Override
    public void partitionsChanged() {
        markInventory();
    }

    /** An answer to a command of backfill-service may begin a back-off of its job. */
    @Override
    public void commandAnswered(final Outcome outcome) {
        if (outcome.issuer() == Issuer.BACKFILL) {
            switch (outcome.action()) {
                case "start", "requeue", "checkpoint" -> jobChanged(JobKey.of(outcome.subject()));
                default -> {}
            }
        }
    }

    /** Marks everything as changed. */
    public void markAll() {
        all = true;
        jobs.clear();
        markInventory();
    }

    private void markInventory() {
        inventory = true;
        nodes.clear();
    }

    boolean allDirty() {
        return all;
    }

    /** Whether nodes or partitions were added, removed, or changed in kind. */
    boolean inventoryChanged() {
        return inventory;
    }

    /** Nodes on which a job started or ended. */
    List<NodeObserved> nodes() {
        return nodes;
    }

    Set<JobKey> jobs() {
        return jobs;
    }

    void clear() {
        jobs.clear();
        nodes.clear();
        inventory = false;
        all = false;
    }
}
