package io.millrace.backfill.domain;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One planning pass: starts in order what fits, reserves the earliest room for the first job that does not, and starts behind it what
 * cannot delay it (EASY: Lifka 1995). Pure: the same view, policy and time give the same schedule. With R running and Q queued jobs
 * it takes O(R log R + Q log Q) steps.
 */
public final class BackfillPlanner {

    private final QueueView view;
    private final BackfillPolicy policy;
    private final long now_s;
    private final Room room;
    private final List<Start> starts = new ArrayList<>();
    private final List<QueuedJob> waiting = new ArrayList<>();
    private final List<RunningJob> running;

    private BackfillPlanner(final QueueView view, final BackfillPolicy policy, final long now_s) {
        this.view = view;
        this.policy = policy;
        this.now_s = now_s;
        this.room = Room.of(view);
        this.running = new ArrayList<>(view.running());
    }

    /** @param now_s whole seconds since the epoch (or since anything, if all times of the view are) */
    public static Schedule plan(final QueueView view, final BackfillPolicy policy, final long now_s) {
        return new BackfillPlanner(view, policy, now_s).plan();
    }

    private Schedule plan() {
        final List<QueuedJob> order = new ArrayList<>(view.queued());
        order.sort(policy.order().comparator());
        final int turn = startInOrder(order);
        if (turn == order.size()) {
            return new Schedule(starts, null, waiting);
        }
        final Optional<AvailabilityProfile.Point> point = earliestRoom(order.get(turn));
        // startInOrder stops only at a job that fits some day.
        final AvailabilityProfile.Point shadow = point.orElseThrow();
        shadow.room().take(order.get(turn));
        final Reservation reservation =
                new Reservation(order.get(turn), shadow.at(), shadow.room().idle());
        waiting.add(order.get(turn));
        final List<QueuedJob> behind = order.subList(turn + 1, order.size());
        if (policy.reservations() == 0) {
            waiting.addAll(behind);
        } else {
            backfill(behind, reservation, shadow.room());
        }
        return new Schedule(starts, reservation, waiting);
    }

    /** Returns the index of the first job that must wait for cores; jobs that no end of other jobs would help stand aside. */
    private int startInOrder(final List<QueuedJob> order) {
        @Nullable Room emptied = null;
        for (int i = 0; i < order.size(); i++) {
            final QueuedJob job = order.get(i);
            if (room.fits(job)) {
                start(Start.inOrder(job, room.idle()));
                continue;
            }
            emptied = emptied == null ? emptied() : emptied;
            if (emptied.fits(job)) {
                return i;
            }
            waiting.add(job);
        }
        return order.size();
    }

    /** The room when everything that runs has ended. */
    private Room emptied() {
        final Room all = room.copy();
        running.forEach(all::give);
        return all;
    }

    private Optional<AvailabilityProfile.Point> earliestRoom(final QueuedJob head) {
        return new AvailabilityProfile(now_s, room, running).earliest(head);
    }

    private void backfill(final List<QueuedJob> behind, final Reservation reservation, final Room beside) {
        for (final QueuedJob job : behind) {
            if (!room.fits(job)) {
                waiting.add(job);
                continue;
            }
            if (endsBefore(reservation.shadow(), job)) {
                start(new Start(job, room.idle(), reservation, true));
            } else if (beside.fits(job)) {
                start(new Start(job, room.idle(), reservation, false));
                beside.take(job);
            } else {
                waiting.add(job);
            }
        }
    }

    /** A job without a limit ends before nothing, not even before an unforeseeable time. */
    private boolean endsBefore(final ShadowTime shadow, final QueuedJob job) {
        return job.walltime_s() < ShadowTime.NEVER && job.endIfStartedAt(now_s) <= shadow.second();
    }

    private void start(final Start start) {
        starts.add(start);
        final QueuedJob job = start.job();
        running.add(
                new RunningJob(job.job(), job.resources(), job.partition(), job.endIfStartedAt(now_s), room.take(job)));
    }
}
