package io.millrace.backfill.domain.live;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Outcome;
import io.millrace.model.view.ClusterListener;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was heard of a cluster since it was last looked at: only that has to be looked at again. At first that is everything. */
public final class DirtyJobs implements ClusterListener {

    private final Set<JobKey> jobs = new LinkedHashSet<>();
    private final List<NodeObserved> nodes = new ArrayList<>();
    private boolean layout = true;
    private boolean markAll = true;

    @Override
    public void jobChanged(final JobKey job) {
        if (!markAll) {
            jobs.add(job);
        }
    }

    @Override
    public void nodeChanged(final @Nullable NodeObserved before, final @Nullable NodeObserved now) {
        if (layout || Objects.equals(before, now)) {
            return;
        }
        if (before == null || now == null || !isAlike(before, now)) {
            layout();
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
        layout();
    }

    /** An answer to one of our own commands may make its job rest. */
    @Override
    public void commandAnswered(final Outcome outcome) {
        if (outcome.issuer() == Issuer.BACKFILL) {
            switch (outcome.action()) {
                case "start", "requeue", "checkpoint" -> jobChanged(JobKey.of(outcome.subject()));
                default -> {}
            }
        }
    }

    /** Everything must be looked at again. */
    public void markAll() {
        markAll = true;
        jobs.clear();
        layout();
    }

    private void layout() {
        layout = true;
        nodes.clear();
    }

    boolean allDirty() {
        return markAll;
    }

    /** Whether nodes or partitions came, left, or are not of the same kind any more. */
    boolean inventoryChanged() {
        return layout;
    }

    /** Nodes on which something started or ended. */
    List<NodeObserved> nodes() {
        return nodes;
    }

    Set<JobKey> jobs() {
        return jobs;
    }

    void clear() {
        jobs.clear();
        nodes.clear();
        layout = false;
        markAll = false;
    }
}
