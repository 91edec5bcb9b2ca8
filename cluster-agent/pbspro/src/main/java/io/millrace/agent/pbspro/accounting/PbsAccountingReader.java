package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.pbs.DeletedJobs;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** Reads the accounting log of OpenPBS and PBS Pro. */
public final class PbsAccountingReader implements AccountingReader {

    private final PbsSite site;
    private final DeletedJobs deleted = new DeletedJobs();

    /** @param zone time zone of the server */
    public PbsAccountingReader(final ClusterId cluster, final ZoneId zone) {
        this.site = new PbsSite(cluster, null, Map.of(), ZoneOffset.UTC, zone, null, null, "", PbsSite.Charge.ACCOUNT);
    }

    @Override
    public AccountingLine read(final String line) {
        if (line.isBlank()) {
            return AccountingLine.HEADER;
        }
        final AccountingRecord record = AccountingRecord.read(site, line)
                .orElseThrow(() -> new IllegalArgumentException("not a record of the accounting log"));
        if (record.type() == 'D') {
            deleted.add(record.job());
        }
        final boolean isRun = record.type() == 'E' || record.type() == 'R' && record.endsARun();
        return isRun && !record.isOfArray() ? AccountingLine.end(job(record)) : AccountingLine.DETAIL;
    }

    private EndedJob job(final AccountingRecord record) {
        final JobKey key = record.key(site);
        if (key == null || record.time("end") == null) {
            throw new IllegalArgumentException("job " + record.job() + " has no ctime or end");
        }
        final boolean wasDeleted = record.type() == 'E' && deleted.remove(record.job());
        return EndedJobs.job(site, record, key, List.of(record.run(key, wasDeleted)));
    }
}
