package io.millrace.agent.pbs;

import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** The files of the accounting log, {@code server_priv/accounting/YYYYMMDD}, one per day. */
public final class AccountingFiles {

    /** Maximum number of days. Of a longer period, only the most recent part is read. */
    private static final int MOST_DAYS = 400;

    private AccountingFiles() {}

    /** Commands of root that let the agent read the log: the files of the next days by default, today's file and earlier ones now. */
    public static String readAccess(final Path folder) {
        return "give the agent read access: setfacl -m u:millrace:x " + folder.resolveSibling("")
                + "; setfacl -m u:millrace:rx -d -m u:millrace:r " + folder + "; setfacl -m u:millrace:r " + folder
                + "/*";
    }

    /** The files from {@code from} to {@code to}, and of one more day on either side, in case the zone or a clock is wrong. */
    public static List<String> between(final Path folder, final Instant from, final Instant to, final ZoneId zone) {
        final LocalDate last = LocalDate.ofInstant(to, zone).plusDays(1);
        final LocalDate first = LocalDate.ofInstant(from, zone).minusDays(1);
        final LocalDate limit = last.minusDays(MOST_DAYS);
        return (first.isBefore(limit) ? limit : first)
                .datesUntil(last.plusDays(1))
                .map(day -> folder.resolve(DateTimeFormatter.BASIC_ISO_DATE.format(day))
                        .toString())
                .toList();
    }
}
