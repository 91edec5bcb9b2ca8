package io.millrace.agent.lsf.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.util.List;
import java.util.regex.Pattern;

/** Reads {@code lsb.acct}. */
public final class LsbAcctReader implements AccountingReader {

    /** Such as {@code JOB_RESIZE}, and {@code JOB_FINISH2}, which repeats the other record in another form. */
    private static final Pattern OTHER_EVENT = Pattern.compile("\"[A-Z_0-9]{1,40}\" \"");

    private final ClusterId cluster;
    private final boolean memoryPerSlot;

    /** @param memoryPerSlot whether the cluster reserves memory for each slot, and not for each host */
    public LsbAcctReader(final ClusterId cluster, final boolean memoryPerSlot) {
        this.cluster = cluster;
        this.memoryPerSlot = memoryPerSlot;
    }

    @Override
    public AccountingLine read(final String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return AccountingLine.HEADER;
        }
        if (!line.startsWith("\"JOB_FINISH\"")) {
            if (OTHER_EVENT.matcher(line).lookingAt()) {
                return AccountingLine.DETAIL;
            }
            throw new IllegalArgumentException("not a record of lsb.acct");
        }
        final AccountingRecord record = AccountingRecord.read(line)
                .orElseThrow(() -> new IllegalArgumentException("JOB_FINISH without all its fields"));
        final JobKey key = record.key(cluster);
        final Run run = new Run(key, 1, record.started(), record.ended(), record.outcome(), "lsb.acct", record.used());
        return AccountingLine.end(PurgedJobs.job(key, record, memoryPerSlot, null, List.of(run)));
    }
}
