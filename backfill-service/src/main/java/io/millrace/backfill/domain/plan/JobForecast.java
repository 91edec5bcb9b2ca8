package io.millrace.backfill.domain.plan;

import io.millrace.backfill.domain.QueuedJob;
import io.millrace.backfill.domain.ShadowTime;
import io.millrace.model.Veto;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forecast for a waiting job.
 *
 * @param place in the order, from 1
 * @param start the latest start if no job comes before it; null if not foreseeable
 * @param isBeneficiary whether other jobs were preempted for it
 * @param isReserved whether capacity is reserved for it
 * @param blockers why it cannot start, as sentences once they are needed
 */
public record JobForecast(
        QueuedJob job,
        int place,
        @Nullable ShadowTime start,
        boolean isBeneficiary,
        boolean isReserved,
        StartBlockers.StartBlocker blocker,
        StartBlockers blockers) {

    /** Why it waits, as a sentence. */
    public String reason() {
        return blockers.reason(job, blocker);
    }

    /** What prevents a start now, with current figures. */
    public List<Veto> vetoes() {
        return blockers.vetoes(job, blocker);
    }
}
