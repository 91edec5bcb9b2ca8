package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.RunningJob;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.backfill.domain.capacity.QueueSnapshot;
import io.millrace.model.JobKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The planner written down a second time, with one field per second and without a single clever thought: strict order, N reservations and
 * conservative backfill, on cores alone.
 */
final class NaivePlanner {

    private final long[] free;
    private final long now_s;

    NaivePlanner(final QueueSnapshot view, final long now_s, final int horizon_s) {
        this.now_s = now_s;
        this.free = new long[horizon_s];
        for (int i = 0; i < horizon_s; i++) {
            free[i] = view.idleCores();
            for (final RunningJob job : view.running()) {
                free[i] += job.endSeenFrom(now_s) <= now_s + i ? job.cores() : 0;
            }
            for (final MaintenanceWindow window : view.windows()) {
                free[i] -= window.from_s() <= now_s + i && now_s + i < window.until_s() ? window.cores() : 0;
            }
        }
    }

    /** Jobs that start now, in order. @param depth number of reservations; 0: no backfill */
    List<JobKey> starts(
            final List<QueuedJob> queued,
            final int depth,
            final Comparator<QueuedJob> order,
            final Comparator<QueuedJob> candidates) {
        final List<JobKey> starts = new ArrayList<>();
        final List<QueuedJob> rest =
                new ArrayList<>(queued.stream().sorted(order).toList());
        int held = 0;
        while (!rest.isEmpty() && held < Math.max(1, depth)) {
            final QueuedJob job = rest.removeFirst();
            final int at = earliest(job);
            take(job, at);
            if (at == 0) {
                starts.add(job.job());
            } else {
                held++;
            }
        }
        rest.sort(candidates);
        for (final QueuedJob job : rest) {
            if (depth > 0 && fits(job, 0)) {
                take(job, 0);
                starts.add(job.job());
            }
        }
        return starts;
    }

    private int earliest(final QueuedJob job) {
        int at = 0;
        while (!fits(job, at)) {
            at++;
        }
        return at;
    }

    private boolean fits(final QueuedJob job, final int at) {
        for (int i = at; i < Math.min(free.length, at + job.walltime_s()); i++) {
            if (free[i] < job.cores()) {
                return false;
            }
        }
        return true;
    }

    private void take(final QueuedJob job, final int at) {
        for (int i = at; i < Math.min(free.length, at + job.walltime_s()); i++) {
            free[i] -= job.cores();
        }
    }
}
