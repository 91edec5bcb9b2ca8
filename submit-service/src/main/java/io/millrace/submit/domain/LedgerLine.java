package io.millrace.submit.domain;

import io.millrace.model.JobKey;
import io.millrace.model.policy.LedgerEntry.Posting;
import java.time.Instant;

/**
 * A posting as the ledger has it.
 *
 * @param project empty: the job named none
 */
public record LedgerLine(
        Instant booked, JobKey job, int run, String user, String project, long ratePermille, Posting posting) {}
