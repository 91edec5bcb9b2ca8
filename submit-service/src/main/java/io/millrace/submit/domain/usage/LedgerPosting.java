package io.millrace.submit.domain.usage;

import io.millrace.model.JobKey;
import io.millrace.model.policy.LedgerEntry.Posting;
import java.time.Instant;

/**
 * A posting of the ledger.
 *
 * @param bookedAt when it counts: the end of the run, or the booking time if the period of the end was closed
 * @param endedAt when the run ended
 * @param project empty: the job named none
 * @param jobClass class with the rate factor that applied; empty: none
 */
public record LedgerPosting(
        Instant bookedAt,
        Instant endedAt,
        JobKey job,
        int run,
        String user,
        String project,
        long ratePermille,
        String jobClass,
        long classPermille,
        Posting posting) {}
