package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.EarlierReservation;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.WaitingJob;
import io.millrace.decide.NodeShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Renews the reservations of an earlier pass, also those of an earlier process, so that no job loses its reservation in a restart. */
final class EarlierReservations {
    /** Starting a job takes some seconds, so the jobs before it may end that much later than expected. */
    private static final long TOLERANCE_S = 60;

    /** @param shares as reserved earlier; empty if they are not known or any node will do */
    private record Entry(WaitingJob job, long at_s, List<NodeShare> shares) {}

    private final Pass pass;
    private final List<WaitingJob> holders = new ArrayList<>();
    private final List<Entry> entries = new ArrayList<>();

    EarlierReservations(final Pass pass) {
        this.pass = pass;
        if (pass.promises().reservations().isEmpty()) {
            return;
        }
        for (final WaitingJob job : pass.waiting().left()) {
            final EarlierReservation earlier =
                    pass.promises().reservations().get(job.job().job());
            if (earlier != null) {
                holders.add(job);
                entries.add(new Entry(
                        job,
                        Math.max(pass.now_s(), earlier.start_s()),
                        pass.profile().shares(job.job(), earlier.nodes())));
            }
        }
    }

    /** The holders in order. */
    List<WaitingJob> holders() {
        return holders;
    }

    /**
     * Renews each reservation at its time, or now if that has passed. If one cannot be renewed, because cores have left or a job exceeds its
     * expected end, all are planned again in order.
     */
    void keepOrReplanAll() {
        keep();
        if (entries.stream().anyMatch(each -> !pass.isReserved(each.job))) {
            holders.stream().filter(pass::isReserved).forEach(pass::release);
            holders.forEach(job -> pass.reserveEarliest(job, pass.now_s()));
        }
    }

    /** Renews each reservation at its time, or now if that has passed; a job for which this is impossible gets the earliest time that is left. */
    void keepOrMove() {
        keep();
        holders.stream().filter(job -> !pass.isReserved(job)).forEach(job -> pass.reserveEarliest(job, pass.now_s()));
    }

    private void keep() {
        entries.sort(Comparator.comparingLong(Entry::at_s)
                .thenComparing(Entry::job, pass.policy().order().comparator()));
        for (final Entry each : entries) {
            final List<NodeShare> shares = each.at_s >= ShadowTime.NEVER
                    ? List.of()
                    : pass.profile().sharesAt(each.job.job(), each.shares, each.at_s, each.job.estimate_s());
            if (shares == null) {
                keepSlightlyLater(each);
            } else {
                pass.reserve(each.job, each.at_s, shares);
            }
        }
    }

    private void keepSlightlyLater(final Entry each) {
        if (pass.reserveEarliest(each.job, each.at_s) > each.at_s + TOLERANCE_S) {
            pass.release(each.job);
        }
    }
}
