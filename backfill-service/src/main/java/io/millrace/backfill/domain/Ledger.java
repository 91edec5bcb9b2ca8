package io.millrace.backfill.domain;

import io.millrace.model.PartitionName;
import io.millrace.model.view.FreeNodeCapacity;
import io.millrace.model.view.NodeShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The planner's books of one cluster: who waits in which order, who runs until when, what room there is now and later. */
final class Ledger {

    final BackfillPolicy policy;
    final RunTimes history;
    private Room room;
    final WaitingLine line;
    /** The order in which jobs behind the reservations are tried; the same line if there is but one order. */
    final WaitingLine candidates;

    final RunningEnds ends = new RunningEnds();
    /** Who holds a reservation that lasts, where not everybody does. */
    final List<PlannedJob> holders = new ArrayList<>();

    private final @Nullable Availability availability;
    private boolean learned;
    private int shrunk;

    Ledger(final BackfillPolicy policy, final QueueView view, final RunTimes history, final List<PlannedJob> running) {
        this.policy = policy;
        this.history = history;
        this.room = Room.of(view);
        this.line = new WaitingLine(policy.order().comparator());
        this.candidates = policy.candidates() == policy.order()
                ? line
                : new WaitingLine(policy.candidates().comparator());
        ends.addAll(running);
        shrunk = (int) running.stream().filter(PlannedJob::isShrunk).count();
        placeThoseWhoRun(view.nodes());
        final boolean looksLater = policy.reservations() > 1 || !view.windows().isEmpty();
        this.availability = looksLater ? new Availability(view, running) : null;
    }

    Room room() {
        return room;
    }

    /** From now on the room is this, whatever it was. */
    void room(final Room seen) {
        room = seen;
        placeThoseWhoRun(seen.nodes());
    }

    /** What each has on its nodes follows from what all have, and from what is free. */
    private void placeThoseWhoRun(final FreeNodeCapacity free) {
        if (!free.isEmpty()) {
            final List<PlannedJob> running = ends.all();
            final List<List<NodeShare>> onNodes = Occupancy.of(free, running);
            for (int i = 0; i < running.size(); i++) {
                running.get(i).on(onNodes.get(i));
            }
        }
    }

    Availability later() {
        return Objects.requireNonNull(availability, "kept where the policy looks beyond the head job");
    }

    boolean looksLater() {
        return availability != null;
    }

    void queueAll(final List<PlannedJob> jobs) {
        jobs.forEach(job -> job.foresee(policy.estimate(), history));
        line.addAll(jobs, this::length_s);
        if (candidates != line) {
            candidates.addAll(jobs, this::length_s);
        }
    }

    void queue(final PlannedJob job) {
        job.foresee(policy.estimate(), history);
        line.add(job, length_s(job));
        if (candidates != line) {
            candidates.add(job, length_s(job));
        }
    }

    void withdraw(final PlannedJob job) {
        line.remove(job);
        if (candidates != line) {
            candidates.remove(job);
        }
    }

    /** The length on which it may pass others. */
    long length_s(final PlannedJob job) {
        final Cutting cutting = policy.cutting();
        return cutting == null ? job.estimate_s() : cutting.shrunk_s(job.job(), job.estimate_s(), history);
    }

    /** Takes that a job leaves its cores for the head's sake. */
    void cut(final PlannedJob job, final long until_s) {
        ends.remove(job);
        job.cut(until_s);
        ends.add(job);
        shrunk--;
        history.cut();
    }

    /** Whether one more job may run on a shrunk estimate without more being cut than the policy allows, in the worst case. */
    boolean mayShrink() {
        final Cutting cutting = policy.cutting();
        final long jobs = history.endedJobs() + ends.end() - ends.first() + line.live();
        return cutting != null && (cutting.share() >= 1 || history.cuts() + shrunk < cutting.share() * jobs);
    }

    /** Takes that a job runs by somebody else's decision; its cores are not in the room already. */
    void run(final PlannedJob job, final long now_s) {
        ends.add(job);
        shrunk += job.isShrunk() ? 1 : 0;
        if (availability != null) {
            availability.take(job.job(), job.nodes(), now_s, job.end_s());
        }
    }

    /** Puts a waiting job on its cores, and on these nodes. */
    void start(
            final PlannedJob job, final Start how, final List<NodeShare> on, final long now_s, final long foreseenEnd_s) {
        final boolean isShrunk = foreseenEnd_s < ShadowTime.after(now_s, job.estimate_s());
        job.start(how, now_s, foreseenEnd_s, isShrunk);
        shrunk += isShrunk ? 1 : 0;
        job.on(on);
        room.take(job.job(), on);
        ends.add(job);
        if (availability != null) {
            availability.take(job.job(), on, now_s, foreseenEnd_s);
        }
    }

    void end(final PlannedJob job, final long now_s) {
        ends.remove(job);
        room.give(job);
        job.left();
        shrunk -= job.isShrunk() && !job.isBeingCut() ? 1 : 0;
        if (availability != null) {
            availability.giveBack(job.job(), job.nodes(), now_s, job.end_s());
        }
    }

    void foreseeEnd(final PlannedJob job, final long end_s) {
        ends.remove(job);
        if (availability != null) {
            availability.take(job.job(), job.nodes(), job.end_s(), end_s);
        }
        job.end_s(end_s);
        ends.add(job);
    }

    /** Keeps room for a job from then on, on these nodes. */
    void reserve(final PlannedJob job, final long at_s, final List<NodeShare> on) {
        job.reserve(at_s, ShadowTime.after(at_s, job.estimate_s()), on);
        later().take(job.job(), on, at_s, job.reservedUntil_s());
    }

    /** Keeps the earliest room for it, if there will be any. */
    void reserveEarliest(final PlannedJob job, final long from_s) {
        final long at_s = later().earliest(job.job(), from_s, job.estimate_s());
        reserve(job, at_s, later().nodesFor(job.job(), at_s, job.estimate_s()));
    }

    /** Gives back what was kept for it. */
    void release(final PlannedJob job) {
        later().giveBack(job.job(), job.reservedOn(), job.reserved_s(), job.reservedUntil_s());
        job.giveUpReservation();
    }

    /**
     * Sends a job that cannot start in its own partition now to the first of the others where it can, without taking what is reserved for
     * anybody else; it gives up its own reservation then.
     *
     * @return on which nodes; null if it has to wait, and then nothing has changed
     */
    @Nullable
    List<NodeShare> sendElsewhere(final PlannedJob job, final long now_s) {
        if (job.job().others().isEmpty()) {
            return null;
        }
        final long at_s = job.reserved_s();
        final long until_s = job.reservedUntil_s();
        final List<NodeShare> reserved = job.reservedOn();
        final boolean holds = job.holdsReservation();
        if (holds) {
            release(job);
        }
        for (final PartitionName other : job.job().others()) {
            final QueuedJob there = job.job().in(other);
            final List<NodeShare> on = room.fits(there) ? later().room(there, now_s, job.estimate_s()) : null;
            if (on != null) {
                job.goTo(there);
                return on;
            }
        }
        if (holds) {
            job.reserve(at_s, until_s, reserved);
            later().take(job.job(), reserved, at_s, until_s);
        }
        return null;
    }

    Reservation reservationOf(final PlannedJob job) {
        final long beside = later().cluster().freeAt(job.reserved_s());
        return new Reservation(
                job.job(),
                new ShadowTime(job.reserved_s()),
                (int) Math.max(0, beside),
                later().names(job.reservedOn()));
    }

    void learned() {
        learned |= policy.estimate() == Estimate.RECENT2
                || policy.estimate() == Estimate.CLASS
                || policy.order().movesWithHistory(policy.estimate())
                || policy.candidates().movesWithHistory(policy.estimate())
                || policy.cutting() != null && policy.cutting().learn();
    }

    /** Brings foresight up to date: who outlives it runs on, and orders that move are put in order. */
    void lookAround(final long now_s) {
        if (availability != null) {
            availability.forgetUntil(now_s);
        }
        correctOverdue(now_s);
        final boolean moves =
                policy.order().movesWithTime() || policy.candidates().movesWithTime();
        if (line.live() > 0 && (learned || moves)) {
            for (int i = line.next(0); i < line.end(); i = line.next(i + 1)) {
                line.at(i).foresee(policy.estimate(), history);
                line.at(i).age(now_s);
            }
            reorder();
            learned = false;
        }
    }

    void reorder() {
        line.reorder(this::length_s);
        if (candidates != line) {
            candidates.reorder(this::length_s);
        }
    }

    /**
     * Who outlives a foresight that was no limit is foreseen to run as long again as it has; who outlives a limit is about to be ended. Who may be
     * cut counts as free at once: for the head job it will be.
     */
    private void correctOverdue(final long now_s) {
        if (ends.isEmpty() || ends.end_s(ends.first()) > now_s) {
            return;
        }
        final List<PlannedJob> overdue = new ArrayList<>();
        for (int i = ends.first(); i < ends.end() && ends.end_s(i) <= now_s; i++) {
            if (!ends.at(i).isCuttable()) {
                overdue.add(ends.at(i));
            }
        }
        for (final PlannedJob job : overdue) {
            final long doubled = now_s + Math.max(60, now_s - job.start_s());
            final long later = job.isBeingCut() || job.limitEnd_s() <= now_s
                    ? now_s + RunningJob.OVERDUE_S
                    : Math.min(job.limitEnd_s(), doubled);
            foreseeEnd(job, later);
        }
    }
}
