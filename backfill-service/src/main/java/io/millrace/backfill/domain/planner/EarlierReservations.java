package io.millrace.backfill.domain.planner;

import io.millrace.backfill.domain.job.EarlierReservation;
import io.millrace.backfill.domain.job.PlannedJob;
import io.millrace.decide.NodeShare;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Renews the reservations of an earlier pass, also those of an earlier process, so that no job loses its reservation in a restart. */
final class EarlierReservations {
    /** Starting a job takes some seconds, so the jobs before it may end that much later than expected. */
    private static final long TOLERANCE_S = 60;

    /** @param shares as reserved earlier; empty if they are not known or any node will do */
    private record Entry(PlannedJob job, long at_s, List<NodeShare> shares) {}

    private final PlannerState state;
    private final long now_s;
    private final List<Entry> entries = new ArrayList<>();

    EarlierReservations(final PlannerState state, final long now_s) {
        this.state = state;
        this.now_s = now_s;
    }

    /** Adds the reservations of an earlier planner. */
    void add(final List<PlannedJob> waiting, final Map<JobKey, EarlierReservation> reservations) {
        for (final PlannedJob job : waiting) {
            final EarlierReservation earlier = reservations.get(job.job().job());
            if (earlier != null) {
                add(job, earlier.start_s(), state.profile().shares(job.job(), earlier.nodes()));
            }
        }
    }

    /** Takes the current reservations of these jobs out of the state. */
    void takeAll(final List<PlannedJob> holders) {
        for (final PlannedJob job : holders) {
            add(job, job.reserved_s(), job.reservedOn());
            state.releaseReservation(job);
        }
    }

    private void add(final PlannedJob job, final long at_s, final List<NodeShare> shares) {
        entries.add(new Entry(job, Math.max(now_s, at_s), shares));
    }

    /** The holders in order. */
    List<PlannedJob> holders() {
        return entries.stream().map(Entry::job).sorted(order()).toList();
    }

    private Comparator<PlannedJob> order() {
        return state.policy().order().comparator();
    }

    /**
     * Renews each reservation at its time, or now if that has passed. If one cannot be renewed, because cores have left or a job exceeds its
     * expected end, all are planned again in order.
     */
    void keepOrReplanAll() {
        keep();
        if (entries.stream().anyMatch(each -> !each.job.holdsReservation())) {
            final List<PlannedJob> holders = holders();
            holders.stream().filter(PlannedJob::holdsReservation).forEach(state::releaseReservation);
            holders.forEach(job -> state.reserveEarliest(job, now_s));
        }
    }

    /** Renews each reservation at its time, or now if that has passed; a job for which this is impossible gets the earliest time that is left. */
    void keepOrMove() {
        keep();
        holders().stream().filter(job -> !job.holdsReservation()).forEach(job -> state.reserveEarliest(job, now_s));
    }

    private void keep() {
        entries.sort(Comparator.comparingLong(Entry::at_s).thenComparing(Entry::job, order()));
        for (final Entry each : entries) {
            final List<NodeShare> shares =
                    state.profile().sharesAt(each.job.job(), each.shares, each.at_s, each.job.estimate_s());
            if (shares == null) {
                keepSlightlyLater(each);
            } else {
                state.reserve(each.job, each.at_s, shares);
            }
        }
    }

    private void keepSlightlyLater(final Entry each) {
        state.reserveEarliest(each.job, each.at_s);
        if (each.job.reserved_s() > each.at_s + TOLERANCE_S) {
            state.releaseReservation(each.job);
        }
    }
}
