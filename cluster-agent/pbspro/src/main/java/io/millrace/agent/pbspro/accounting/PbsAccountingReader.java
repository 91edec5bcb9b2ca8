package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.pbs.DeletedJobs;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads the accounting log of OpenPBS and PBS Pro. */
public final class PbsAccountingReader implements AccountingReader {

    private final PbsSite site;
    private final DeletedJobs deleted = new DeletedJobs();

    /** @param zone time zone of the server */
    public PbsAccountingReader(final ClusterId cluster, final ZoneId zone) {
        this.site = new PbsSite(cluster, null, Map.of(), ZoneOffset.UTC, zone, null, null, "", PbsSite.Charge.ACCOUNT);
    }

    @Override
    public Optional<EndedJob> read(final String line) {
        if (line.isBlank()) {
            return Optional.empty();
        }
        final AccountingRecord record = AccountingRecord.read(site, line)
                .orElseThrow(() -> new IllegalArgumentException("not a record of the accounting log"));
        if (record.type() == 'D') {
            deleted.add(record.job());
        }
        if (record.type() != 'E' && record.type() != 'R') {
            return Optional.empty();
        }
        final JobKey key = record.key(site);
        if (key == null || record.time("end") == null) {
            throw new IllegalArgumentException("job " + record.job() + " has no ctime or end");
        }
        final boolean wasDeleted = record.type() == 'E' && deleted.remove(record.job());
        return Optional.of(EndedJobs.job(site, record, key, List.of(record.run(key, wasDeleted))));
    }
}
