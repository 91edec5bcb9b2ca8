package io.millrace.backfill.domain;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The room from now on, as it grows with the ends of the jobs that run, by their upper bounds. */
final class AvailabilityProfile {

    private static final Comparator<RunningJob> BY_END = Comparator.comparingLong(RunningJob::end_s);

    /** The room at a time, with everything that has ended by then given back. */
    record Point(ShadowTime at, Room room) {}

    private final long now_s;
    private final Room now;
    private final List<RunningJob> byEnd;

    AvailabilityProfile(final long now_s, final Room now, final List<RunningJob> running) {
        this.now_s = now_s;
        this.now = now;
        this.byEnd = new ArrayList<>(running);
        byEnd.sort(BY_END);
    }

    /** The earliest time after now at which the job fits; empty if it does not even fit when all have ended. */
    Optional<Point> earliest(final QueuedJob job) {
        final Room room = now.copy();
        for (int i = 0; i < byEnd.size(); i++) {
            room.give(byEnd.get(i));
            final long end = byEnd.get(i).endSeenFrom(now_s);
            final boolean moreEndThen = i + 1 < byEnd.size() && byEnd.get(i + 1).endSeenFrom(now_s) == end;
            if (!moreEndThen && room.fits(job)) {
                return Optional.of(new Point(new ShadowTime(end), room));
            }
        }
        return Optional.empty();
    }
}
