package io.millrace.agent.lsf.history;

import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.util.List;
import java.util.Optional;

/** Reads {@code lsb.acct}. The file does not contain run limits, so the jobs have none. */
public final class LsbAcctReader implements AccountingReader {

    private final ClusterId cluster;

    public LsbAcctReader(final ClusterId cluster) {
        this.cluster = cluster;
    }

    @Override
    public Optional<EndedJob> read(final String line) {
        if (line.isBlank()) {
            return Optional.empty();
        }
        if (!line.startsWith("\"JOB_FINISH\"")) {
            // Other events have upper-case names, and LSF writes comments about the file itself.
            if (line.matches("#.*|\"[A-Z_]{1,40}\" \".*")) {
                return Optional.empty();
            }
            throw new IllegalArgumentException("not a record of lsb.acct");
        }
        final AccountingRecord record = AccountingRecord.read(line)
                .orElseThrow(() -> new IllegalArgumentException("JOB_FINISH without all its fields"));
        final JobKey key = record.key(cluster);
        final Run run = new Run(key, 1, record.started(), record.ended(), record.outcome(), "lsb.acct");
        return Optional.of(PurgedJobs.job(key, record, null, List.of(run)));
    }
}
