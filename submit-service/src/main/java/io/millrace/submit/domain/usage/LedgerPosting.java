package io.millrace.submit.domain.usage;

import io.millrace.model.JobKey;
import io.millrace.model.policy.LedgerEntry.Posting;
import java.time.Instant;

/**
 * A posting as the ledger has it.
 *
 * @param booked when it counts: when the run ended, or when it was booked if its period was closed by then
 * @param ended when the run ended
 * @param project empty: the job named none
 * @param jobClass the class whose factor it was booked at; empty: none
 */
public record LedgerPosting(
        Instant booked,
        Instant ended,
        JobKey job,
        int run,
        String user,
        String project,
        long ratePermille,
        String jobClass,
        long classPermille,
        Posting posting) {}
