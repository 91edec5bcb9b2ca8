package io.millrace.agent.torque.accounting;

import io.millrace.agent.domain.Run;
import io.millrace.agent.pbs.DeletedJobs;
import io.millrace.agent.pbs.ResourcesUsed;
import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;

/** Reads the accounting log of Torque. Its records of requeued runs have no start time, so only the last run of a job is read. */
public final class TorqueAccountingReader implements AccountingReader {

    private final ClusterId cluster;
    private final ZoneId zone;
    private final DeletedJobs deleted = new DeletedJobs();

    /** @param zone time zone of the server */
    public TorqueAccountingReader(final ClusterId cluster, final ZoneId zone) {
        this.cluster = cluster;
        this.zone = zone;
    }

    @Override
    public AccountingLine read(final String line) {
        if (line.isBlank()) {
            return AccountingLine.HEADER;
        }
        final AccountingRecord record = AccountingRecord.read(line, zone)
                .orElseThrow(() -> new IllegalArgumentException("not a record of the accounting log"));
        if (record.type() == 'D') {
            deleted.add(record.id());
        }
        return record.type() == 'E' && !record.isOfArray() ? AccountingLine.end(job(record)) : AccountingLine.DETAIL;
    }

    private EndedJob job(final AccountingRecord end) {
        final Instant created = end.time("ctime");
        final Instant ended = end.time("end");
        if (created == null || ended == null) {
            throw new IllegalArgumentException("job " + end.id() + " has no ctime or end");
        }
        final JobKey key = new JobKey(new JobId(cluster, end.id()), created);
        final Run run = new Run(
                key,
                1,
                end.time("start"),
                ended,
                RunOutcomes.of(end, deleted.remove(end.id())),
                "accounting",
                ResourcesUsed.read(end.fields()::get));
        return EndedRuns.job(key, end, null, List.of(run));
    }
}
