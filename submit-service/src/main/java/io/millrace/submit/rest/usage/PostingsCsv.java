package io.millrace.submit.rest.usage;

import io.millrace.submit.domain.usage.LedgerPosting;
import io.millrace.submit.domain.usage.UsageCsv;
import java.util.List;

/** Postings as comma-separated values (RFC 4180), one per line; times are UTC. */
final class PostingsCsv {

    private static final String HEADER =
            "bookedAt,job,run,user,project,kind,debit,credit,coreSeconds,gpuSeconds,ratePermille,"
                    + "endedAt,class,classPermille\r\n";

    private PostingsCsv() {}

    static String of(final List<LedgerPosting> lines) {
        final StringBuilder csv = new StringBuilder(HEADER);
        for (final LedgerPosting line : lines) {
            csv.append(String.join(
                            ",",
                            line.bookedAt().toString(),
                            UsageCsv.cell(line.job().toString()),
                            Integer.toString(line.run()),
                            UsageCsv.cell(line.user()),
                            UsageCsv.cell(line.project()),
                            line.posting().kind().name(),
                            UsageCsv.cell(line.posting().debit()),
                            UsageCsv.cell(line.posting().credit()),
                            Long.toString(line.posting().amount().coreSeconds()),
                            Long.toString(line.posting().amount().gpuSeconds()),
                            Long.toString(line.ratePermille()),
                            line.endedAt().toString(),
                            UsageCsv.cell(line.jobClass()),
                            Long.toString(line.classPermille())))
                    .append("\r\n");
        }
        return csv.toString();
    }
}
