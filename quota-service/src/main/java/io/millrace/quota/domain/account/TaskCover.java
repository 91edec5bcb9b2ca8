package io.millrace.quota.domain.account;

import io.millrace.decide.AssumedCluster;
import io.millrace.model.JobKey;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.quota.domain.view.QuotaView;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * How many of the next tasks of an array one entitlement covers: as many as all limits treat like the first, so that one decision can start
 * them. The entitlement names them, so it allows nothing more after they have started.
 */
public final class TaskCover {

    private final AssumedCluster assumed;
    private final Set<JobKey> commanded;
    private final boolean named;
    private final int totalCores;

    private TaskCover(final AssumedCluster assumed, final boolean named, final int totalCores) {
        this.assumed = assumed;
        this.commanded = assumed.commanded();
        this.named = named;
        this.totalCores = totalCores;
    }

    public static TaskCover of(final QuotaView view) {
        final RevisionClosed marker = view.assumed().marker();
        return new TaskCover(
                view.assumed(),
                marker.control() == Control.DIRECTED && marker.capabilities().contains(Capability.START_TASKS),
                view.totalCores());
    }

    /**
     * The number of tasks, at least 1.
     *
     * @param alike whether several tasks, as one job, are treated like the first; smaller numbers then are, too
     */
    int most(final JobObserved job, final Predicate<JobObserved> alike) {
        return most(limit(job), tasks -> alike.test(job.times(tasks)));
    }

    /** The largest number up to the limit that meets a condition which smaller numbers meet, too; 1 if none does. */
    public static int most(final int limit, final IntPredicate condition) {
        int most = 1;
        int tooMany = limit + 1;
        while (tooMany - most > 1) {
            final int middle = most + (tooMany - most) / 2;
            if (condition.test(middle)) {
                most = middle;
            } else {
                tooMany = middle;
            }
        }
        return most;
    }

    /** As many as wait, have a slot, and the cluster has cores for. */
    private int limit(final JobObserved job) {
        final ArrayTasks array = job.detail().array();
        if (array == null || !isNamed(job)) {
            return 1;
        }
        final int slots = array.freeSlots() == null ? array.tasks() : Math.min(array.tasks(), array.freeSlots());
        return Math.max(
                1, Math.min(slots, totalCores / Math.max(1, job.resources().cores())));
    }

    /** The entitlement for so many tasks. */
    PlannedEntitlement of(final JobObserved job, final int tasks, final PlannedEntitlement entitlement) {
        final ArrayTasks array = job.detail().array();
        return array != null && isNamed(job)
                ? entitlement.covering(array.first(tasks).indices())
                : entitlement;
    }

    /** Whether an open command concerns the job. */
    boolean isCommanded(final JobKey job) {
        return !commanded.isEmpty() && commanded.contains(job);
    }

    /** The entitlement of a job that an open command concerns. That of an array of which tasks are starting names these, so that it allows no other task. */
    PlannedEntitlement nameStarting(final PlannedEntitlement entitlement) {
        final JobObserved job = assumed.job(entitlement.job());
        if (job == null || !(job.state() instanceof JobState.Running)) {
            return entitlement;
        }
        return of(job, job.tasks(), entitlement);
    }

    private boolean isNamed(final JobObserved job) {
        final ArrayTasks array = job.detail().array();
        return named
                && array != null
                && job.isArrayRecord()
                && array.isReadable()
                && !(job.state() instanceof JobState.Suspended);
    }
}
