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
 * The planner of a live cluster. It keeps its books from pass to pass, and is told what is not as the books say: whose part has changed, and who did not
 * fare as was decided. A policy that looks beyond the head job is planned from scratch: its reservations all move when one job ends.
 */
final class LivePlanner {

    private final BackfillPolicy policy;
    private final LiveQueue queue;
    private final RetainedState remembered;
    private final Map<JobKey, PlannedJob> planned = new HashMap<>();
    /** Whom the last pass moved in its own books; whether it came to that, the queue says. */
    private final Set<JobKey> moved = new LinkedHashSet<>();

    private final List<PlannedJob> queueChanges = new ArrayList<>();
    private @Nullable BackfillPlanner planner;
    private long learnedFrom;
    /** Whether the books have taken or given room since it was seen. */
    private boolean roomMoved;

    private boolean anew;

    LivePlanner(final BackfillPolicy policy, final LiveQueue queue, final RetainedState remembered) {
        this.policy = policy;
        this.queue = queue;
        this.remembered = remembered;
    }

    /** The next pass begins from scratch, whatever stands on the log. */
    void reset() {
        planner = null;
        planned.clear();
    }

    /** @param changed whose part is another than at the last pass */
    Schedule plan(final Set<JobKey> changed, final RunTimeHistory history, final long now_s) {
        queueChanges.clear();
        final BackfillPlanner kept = policy.reservations() > 1 || queue.hasWindows() ? null : planner;
        anew = kept == null;
        final BackfillPlanner books = kept == null ? fromScratch(history) : update(kept, changed, history, now_s);
        planner = books;
        final long places = books.waitingQueue().reorders();
        final PassDecisions decisions = books.decide(now_s);
        anew |= books.waitingQueue().reorders() != places;
        roomMoved = !decisions.started().isEmpty();
        moved.clear();
        decisions.started().forEach(job -> moved.add(job.job().job()));
        decisions.preempted().forEach(job -> moved.add(job.job().job()));
        decisions.reservations().stream()
                .limit(1)
                .forEach(head -> moved.add(head.head().job()));
        return books.schedule(decisions, books.waitingInOrder());
    }

    private BackfillPlanner fromScratch(final RunTimeHistory history) {
        final BackfillPlanner books = new BackfillPlanner(policy, queue.snapshot(), history);
        learnedFrom = history.endedJobs();
        final Map<JobKey, PlannedJob> before = Map.copyOf(planned);
        planned.clear();
        books.jobs().forEach(job -> {
            final JobKey key = job.job().job();
            final PlannedJob known = before.get(key);
            if (known != null && !known.isRunning() && known.job().equals(job.job())) {
                job.setPublished(known.published());
            }
            planned.put(key, job);
        });
        return books;
    }

    private BackfillPlanner update(
            final BackfillPlanner books, final Set<JobKey> changed, final RunTimeHistory history, final long now_s) {
        moved.addAll(changed);
        moved.forEach(job -> settle(books, job, now_s));
        settleResting(books, now_s);
        if (queue.capacityChanged() || roomMoved) {
            books.observe(queue.freeCapacity());
            anew = true;
        }
        if (history.endedJobs() != learnedFrom) {
            learnedFrom = history.endedJobs();
            books.historyChanged();
        }
        return books;
    }

    /** Who outlived a shrunk estimate and cannot be cut for now is foreseen anew at each pass. */
    private void settleResting(final BackfillPlanner books, final long now_s) {
        for (final JobKey job : remembered.shrunk()) {
            if (queue.role(job) instanceof RunningJob resting && !resting.startBasis().preemptible()) {
                settle(books, job, now_s);
            }
        }
    }

    private void settle(final BackfillPlanner books, final JobKey key, final long now_s) {
        final JobRole role = queue.role(key);
        final PlannedJob known = planned.get(key);
        if (known != null && role instanceof QueuedJob waits && isAsPlanned(books, known, waits)) {
            return;
        }
        if (known != null && known.isRunning()) {
            books.end(known, now_s);
            roomMoved = true;
        } else if (known != null) {
            queueChanges.add(known);
            books.withdraw(known);
        }
        switch (role) {
            case QueuedJob waits -> {
                final PlannedJob fresh = books.queue(waits, remembered.isBeneficiary(key));
                queueChanges.add(fresh);
                planned.put(key, fresh);
            }
            case RunningJob runs -> planned.put(key, books.addRunning(runs, now_s));
            case IneligibleJob aside -> planned.remove(key);
            case null -> planned.remove(key);
        }
    }

    private boolean isAsPlanned(final BackfillPlanner books, final PlannedJob known, final QueuedJob waits) {
        return !known.isRunning()
                && known.job().equals(waits)
                && known.precedence() == books.precedence(waits, remembered.isBeneficiary(waits.job()));
    }

    /** Whether the last pass found another room, or another order, than the one before. */
    boolean changedEverything() {
        return anew || roomMoved;
    }

    /** Who came to wait, or left, before the last pass. */
    List<PlannedJob> queueChanges() {
        return queueChanges;
    }

    /** As the last pass left them. @throws NullPointerException before the first */
    BackfillPlanner planner() {
        return Objects.requireNonNull(planner, "plan first");
    }

    /** Null if it neither waits nor runs as the books say. */
    @Nullable
    PlannedJob planned(final JobKey job) {
        return planned.get(job);
    }
}
