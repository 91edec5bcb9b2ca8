package io.millrace.backfill.domain;

import io.millrace.model.JobKey;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What earlier plans promised to waiting jobs. It is on the log, so a restart keeps it.
 *
 * @param head the job with the first reservation; null if there is none
 * @param beneficiaries jobs for which others were preempted: they go first until they start
 * @param reservations by waiting job
 * @param mayMove whether capacity was released since, so that conservative reservations may move forward
 */
public record Promises(
        @Nullable JobKey head,
        Set<JobKey> beneficiaries,
        Map<JobKey, EarlierReservation> reservations,
        boolean mayMove) {

    public static final Promises NONE = new Promises(null, Set.of(), Map.of(), true);

    public static Promises reserved(final Map<JobKey, EarlierReservation> reservations) {
        return new Promises(null, Set.of(), reservations, true);
    }
}
