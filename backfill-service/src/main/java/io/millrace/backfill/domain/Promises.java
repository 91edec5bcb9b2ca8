package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import io.millrace.model.view.NodeShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Reserves again what an earlier pass reserved: of this planner, or of one before it, so that nobody loses a promise with a process. */
final class Promises {

    /** A start takes some seconds to be carried out, so those ahead may end so much later than was foreseen. */
    private static final long SLIP_S = 60;

    /** @param on the same as then; none named if they are not known any more, or any will do */
    private record Due(PlannedJob job, long at_s, List<NodeShare> on) {}

    private final Ledger ledger;
    private final long now_s;
    private final List<Due> due = new ArrayList<>();

    Promises(final Ledger ledger, final long now_s) {
        this.ledger = ledger;
        this.now_s = now_s;
    }

    /** What was told of an earlier planner; who was promised nothing is passed over. */
    void add(final List<PlannedJob> waiting, final Map<JobKey, Promise> promised) {
        for (final PlannedJob job : waiting) {
            final Promise promise = promised.get(job.job().job());
            if (promise != null) {
                add(job, promise.start_s(), ledger.later().shares(job.job(), promise.nodes()));
            }
        }
    }

    /** What stands in the books. */
    void takeUp(final List<PlannedJob> holders) {
        for (final PlannedJob job : holders) {
            add(job, job.reserved_s(), job.reservedOn());
            ledger.release(job);
        }
    }

    private void add(final PlannedJob job, final long at_s, final List<NodeShare> on) {
        due.add(new Due(job, Math.max(now_s, at_s), on));
    }

    /** Who they are, in order. */
    List<PlannedJob> holders() {
        return due.stream()
                .map(Due::job)
                .sorted(ledger.policy.order().comparator())
                .toList();
    }

    /**
     * Each at its time, or now if that has passed. If one cannot have it, since cores have left or somebody has outlived what was foreseen of him,
     * there is nothing left to keep: all get the earliest room, in order.
     */
    void keepOrPlanAnew() {
        keep();
        if (due.stream().anyMatch(each -> !each.job.holdsReservation())) {
            final List<PlannedJob> holders = holders();
            holders.stream().filter(PlannedJob::holdsReservation).forEach(ledger::release);
            holders.forEach(job -> ledger.reserveEarliest(job, now_s));
        }
    }

    /** Each at its time, or now if that has passed; who cannot have it gets the earliest room that is left. */
    void keepOrMove() {
        keep();
        holders().stream().filter(job -> !job.holdsReservation()).forEach(job -> ledger.reserveEarliest(job, now_s));
    }

    private void keep() {
        due.sort(Comparator.comparingLong(Due::at_s)
                .thenComparing(Due::job, ledger.policy.order().comparator()));
        for (final Due each : due) {
            final List<NodeShare> on = ledger.later().room(each.job.job(), each.on, each.at_s, each.job.estimate_s());
            if (on == null) {
                slip(each);
            } else {
                ledger.reserve(each.job, each.at_s, on);
            }
        }
    }

    private void slip(final Due each) {
        ledger.reserveEarliest(each.job, each.at_s);
        if (each.job.reserved_s() > each.at_s + SLIP_S) {
            ledger.release(each.job);
        }
    }
}
