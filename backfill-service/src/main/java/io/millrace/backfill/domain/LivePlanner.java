package io.millrace.backfill.domain;

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
    private final Remembered remembered;
    private final Map<JobKey, PlannedJob> planned = new HashMap<>();
    /** Whom the last pass moved in its own books; whether it came to that, the queue says. */
    private final Set<JobKey> moved = new LinkedHashSet<>();

    private final List<PlannedJob> changes = new ArrayList<>();
    private @Nullable BackfillPlanner planner;
    private long learnedFrom;
    /** Whether the books have taken or given room since it was seen. */
    private boolean roomMoved;

    private boolean anew;

    LivePlanner(final BackfillPolicy policy, final LiveQueue queue, final Remembered remembered) {
        this.policy = policy;
        this.queue = queue;
        this.remembered = remembered;
    }

    /** The next pass begins from scratch, whatever stands on the log. */
    void forget() {
        planner = null;
        planned.clear();
    }

    /** @param changed whose part is another than at the last pass */
    Schedule plan(final Set<JobKey> changed, final RunTimes history, final long now_s) {
        changes.clear();
        final BackfillPlanner kept = policy.reservations() > 1 || queue.hasWindows() ? null : planner;
        anew = kept == null;
        final BackfillPlanner books = kept == null ? fromScratch(history) : update(kept, changed, history, now_s);
        planner = books;
        final long places = books.line().reorders();
        final Decisions decisions = books.decide(now_s);
        anew |= books.line().reorders() != places;
        roomMoved = !decisions.started().isEmpty();
        moved.clear();
        decisions.started().forEach(job -> moved.add(job.job().job()));
        decisions.cut().forEach(job -> moved.add(job.job().job()));
        decisions.reservations().stream()
                .limit(1)
                .forEach(head -> moved.add(head.head().job()));
        return books.schedule(decisions, books.waitingInOrder());
    }

    private BackfillPlanner fromScratch(final RunTimes history) {
        final BackfillPlanner books = new BackfillPlanner(policy, queue.view(), history);
        learnedFrom = history.endedJobs();
        final Map<JobKey, PlannedJob> before = Map.copyOf(planned);
        planned.clear();
        books.everybody().forEach(job -> {
            final JobKey key = job.job().job();
            final PlannedJob known = before.get(key);
            if (known != null && !known.isOnItsCores() && known.job().equals(job.job())) {
                job.tell(known.told());
            }
            planned.put(key, job);
        });
        return books;
    }

    private BackfillPlanner update(
            final BackfillPlanner books, final Set<JobKey> changed, final RunTimes history, final long now_s) {
        moved.addAll(changed);
        moved.forEach(job -> settle(books, job, now_s));
        settleResting(books, now_s);
        if (queue.roomChanged() || roomMoved) {
            books.room(queue.room());
            anew = true;
        }
        if (history.endedJobs() != learnedFrom) {
            learnedFrom = history.endedJobs();
            books.learned();
        }
        return books;
    }

    /** Who outlived a shrunk estimate and cannot be cut for now is foreseen anew at each pass. */
    private void settleResting(final BackfillPlanner books, final long now_s) {
        for (final JobKey job : remembered.shrunk()) {
            if (queue.role(job) instanceof RunningJob resting && !resting.how().cuttable()) {
                settle(books, job, now_s);
            }
        }
    }

    private void settle(final BackfillPlanner books, final JobKey key, final long now_s) {
        final Role role = queue.role(key);
        final PlannedJob known = planned.get(key);
        if (known != null && role instanceof QueuedJob waits && isAsPlanned(books, known, waits)) {
            return;
        }
        if (known != null && known.isOnItsCores()) {
            books.end(known, now_s);
            roomMoved = true;
        } else if (known != null) {
            changes.add(known);
            books.withdraw(known);
        }
        switch (role) {
            case QueuedJob waits -> {
                final PlannedJob fresh = books.queue(waits, remembered.isFirst(key));
                changes.add(fresh);
                planned.put(key, fresh);
            }
            case RunningJob runs -> planned.put(key, books.run(runs, now_s));
            case Barred aside -> planned.remove(key);
            case null -> planned.remove(key);
        }
    }

    private boolean isAsPlanned(final BackfillPlanner books, final PlannedJob known, final QueuedJob waits) {
        return !known.isOnItsCores()
                && known.job().equals(waits)
                && known.precedence() == books.precedence(waits, remembered.isFirst(waits.job()));
    }

    /** Whether the last pass found another room, or another order, than the one before. */
    boolean isAnew() {
        return anew || roomMoved;
    }

    /** Who came to wait, or left, before the last pass. */
    List<PlannedJob> changes() {
        return changes;
    }

    /** As the last pass left them. @throws NullPointerException before the first */
    BackfillPlanner books() {
        return Objects.requireNonNull(planner, "plan first");
    }

    /** Null if it neither waits nor runs as the books say. */
    @Nullable
    PlannedJob planned(final JobKey job) {
        return planned.get(job);
    }
}
