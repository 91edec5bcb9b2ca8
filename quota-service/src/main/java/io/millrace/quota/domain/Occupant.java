package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import java.time.Instant;
import java.util.List;

/**
 * A job that occupies cores.
 *
 * @param claimant with whose jobs it is counted
 * @param since when it started; its submission where the start is not known
 * @param nodes where it runs; empty if not known
 * @param runs whether the newest revision shows it running; a job that is just starting, ending or in an unknown state occupies its
 *     cores but is neither taken nor relied on
 * @param yields whether it may be taken: it runs, nobody sits at it, and nothing protects it
 */
record Occupant(
        JobKey job,
        Claimant claimant,
        Resources resources,
        Instant since,
        List<NodeName> nodes,
        boolean runs,
        boolean yields) {

    UserName owner() {
        return claimant.owner();
    }

    int cores() {
        return resources.cores();
    }
}
