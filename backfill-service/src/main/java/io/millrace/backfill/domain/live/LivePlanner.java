package io.millrace.backfill.domain.live;

import io.millrace.backfill.domain.job.IneligibleJob;
import io.millrace.backfill.domain.job.JobRole;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.backfill.domain.job.QueuedJob;
import io.millrace.backfill.domain.job.RunTimeHistory;
import io.millrace.backfill.domain.job.RunningJob;
import io.millrace.backfill.domain.planner.BackfillPlanner;
import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.backfill.domain.planner.PassDecisions;
import io.millrace.backfill.domain.planner.Schedule;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the {@link BackfillPlanner} of a live cluster between passes. Before a pass it reports jobs whose role has changed, and decisions of
 * the last pass that did not take effect. With several reservations or maintenance windows each pass starts from scratch, because one end
 * moves all reservations.
 */
final class LivePlanner {

    private final BackfillPolicy policy;
    private final LiveQueue queue;
    private final RetainedState retained;
    private final Map<JobKey, PlannedJob> planned = new HashMap<>();
    /** Jobs that the last pass started, preempted or reserved for; the queue shows whether that took effect. */
    private final Set<JobKey> moved = new LinkedHashSet<>();

    /** Tasks that the last pass started of arrays of which other tasks wait; what is observed replaces them. */
    private final List<PlannedJob> startedTasks = new ArrayList<>();

    private final List<PlannedJob> queueChanges = new ArrayList<>();
    private @Nullable BackfillPlanner planner;
    private long historySize;
    /** Whether the planner has changed the free capacity since it was observed. */
    private boolean capacityMoved;
    /** Whether the last pass started from scratch, or found other capacity or another order. */
    private boolean changedEverything;

    LivePlanner(final BackfillPolicy policy, final LiveQueue queue, final RetainedState retained) {
        this.policy = policy;
        this.queue = queue;
        this.retained = retained;
    }

    /** Makes the next pass start from scratch. */
    void reset() {
        planner = null;
        planned.clear();
        startedTasks.clear();
    }

    /** @param changed jobs whose role has changed since the last pass */
    Schedule plan(final Set<JobKey> changed, final RunTimeHistory history, final long now_s) {
        queueChanges.clear();
        final BackfillPlanner kept = policy.reservations() > 1 || queue.hasWindows() ? null : planner;
        changedEverything = kept == null;
        final BackfillPlanner current = kept == null ? fromScratch(history) : update(kept, changed, history, now_s);
        planner = current;
        final long reorders = current.waitingQueue().reorders();
        final PassDecisions decisions = current.decide(now_s);
        changedEverything |= current.waitingQueue().reorders() != reorders;
        capacityMoved = !decisions.started().isEmpty();
        moved.clear();
        startedTasks.clear();
        decisions.started().forEach(this::started);
        decisions.preempted().forEach(job -> moved.add(job.job().job()));
        decisions.reservations().stream()
                .limit(1)
                .forEach(head -> moved.add(head.head().job()));
        final Schedule schedule = current.schedule(decisions, current.waitingInOrder());
        startedTasks.forEach(task -> withdrawOthers(current, task.job().job()));
        return schedule;
    }

    /** The tasks of an array that did not start in this pass wait for the revision that shows the others, as the array is one job until then. */
    private void withdrawOthers(final BackfillPlanner current, final JobKey array) {
        final PlannedJob others = planned.get(array);
        if (others != null && !others.isRunning()) {
            current.withdraw(others);
            planned.remove(array);
        }
    }

    private void started(final PlannedJob job) {
        final JobKey key = job.job().job();
        moved.add(key);
        if (planned.get(key) != job) {
            startedTasks.add(job);
        }
    }

    private BackfillPlanner fromScratch(final RunTimeHistory history) {
        final BackfillPlanner fresh = new BackfillPlanner(policy, queue.snapshot(), history);
        historySize = history.endedJobs();
        final Map<JobKey, PlannedJob> before = Map.copyOf(planned);
        planned.clear();
        fresh.jobs().forEach(job -> {
            final JobKey key = job.job().job();
            final PlannedJob known = before.get(key);
            if (known != null && !known.isRunning() && known.job().equals(job.job())) {
                job.setPublished(known.published());
            }
            planned.put(key, job);
        });
        return fresh;
    }

    private BackfillPlanner update(
            final BackfillPlanner kept, final Set<JobKey> changed, final RunTimeHistory history, final long now_s) {
        moved.addAll(changed);
        startedTasks.forEach(task -> kept.end(task, now_s));
        startedTasks.clear();
        moved.forEach(job -> synchronise(kept, job, now_s));
        synchroniseInBackoff(kept, now_s);
        if (queue.capacityChanged() || capacityMoved) {
            kept.observe(queue.freeCapacity());
            changedEverything = true;
        }
        if (history.endedJobs() != historySize) {
            historySize = history.endedJobs();
            kept.historyChanged();
        }
        return kept;
    }

    /** A job that exceeds its shrunk estimate while its preemption is in back-off gets a new expected end in each pass. */
    private void synchroniseInBackoff(final BackfillPlanner kept, final long now_s) {
        for (final JobKey job : retained.shrunk()) {
            if (queue.role(job) instanceof RunningJob running
                    && !running.startBasis().preemptible()) {
                synchronise(kept, job, now_s);
            }
        }
    }

    /** Makes the planner's job agree with its role in the queue. */
    private void synchronise(final BackfillPlanner kept, final JobKey key, final long now_s) {
        final JobRole role = queue.role(key);
        final PlannedJob known = planned.get(key);
        if (known != null && role instanceof QueuedJob queued && isAsPlanned(kept, known, queued)) {
            return;
        }
        if (known != null && known.isRunning()) {
            kept.end(known, now_s);
            capacityMoved = true;
        } else if (known != null) {
            queueChanges.add(known);
            kept.withdraw(known);
        }
        switch (role) {
            case QueuedJob queued -> {
                final PlannedJob added = kept.queue(queued, retained.isBeneficiary(key));
                queueChanges.add(added);
                planned.put(key, added);
            }
            case RunningJob running -> planned.put(key, kept.addRunning(running, now_s));
            case IneligibleJob ineligible -> planned.remove(key);
            case null -> planned.remove(key);
        }
    }

    private boolean isAsPlanned(final BackfillPlanner kept, final PlannedJob known, final QueuedJob queued) {
        return !known.isRunning()
                && known.job().equals(queued)
                && known.precedence() == kept.precedence(queued, retained.isBeneficiary(queued.job()));
    }

    /** Whether the last pass found other free capacity or another order than the one before, so that no estimate is valid. */
    boolean changedEverything() {
        return changedEverything || capacityMoved;
    }

    /** Jobs that arrived in the queue or left it before the last pass. */
    List<PlannedJob> queueChanges() {
        return queueChanges;
    }

    /** The planner after the last pass. @throws NullPointerException before the first pass */
    BackfillPlanner planner() {
        return Objects.requireNonNull(planner, "call plan() first");
    }

    /** The planner's job; null if it neither waits nor runs. */
    @Nullable
    PlannedJob planned(final JobKey job) {
        return planned.get(job);
    }
}
