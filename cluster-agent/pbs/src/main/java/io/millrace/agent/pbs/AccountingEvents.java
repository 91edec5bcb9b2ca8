package io.millrace.agent.pbs;

import io.millrace.agent.wlm.EventFile;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/**
 * The accounting log of a PBS server as a sign that something happened: it gets a line the moment a job is queued, started, altered, put
 * back, deleted or over, one file a day.
 */
public final class AccountingEvents {

    /** {@code 11/21/2026 14:02:11;L;license;floating…}: what the licence server counted. */
    private static final Pattern LICENCES = Pattern.compile("[^;]*;L;.*");

    private AccountingEvents() {}

    /**
     * @param folder {@code server_priv/accounting}
     * @param zone the server's, by whose days the files are called
     */
    public static EventFile in(final Path folder, final ZoneId zone) {
        return new EventFile(
                "accounting log",
                now -> folder.resolve(DateTimeFormatter.BASIC_ISO_DATE.format(LocalDate.ofInstant(now, zone))),
                line -> !LICENCES.matcher(line).matches(),
                "let its account read it: setfacl -m u:millrace:x " + folder.resolveSibling("")
                        + "; setfacl -m u:millrace:rx -d -m u:millrace:r " + folder);
    }
}
