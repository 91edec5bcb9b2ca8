package io.millrace.agent.pbs;

import io.millrace.agent.wlm.EventFile;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;

/**
 * Watches the accounting log of a PBS server for job events. The server appends a line when a job is queued, started, altered,
 * requeued, deleted or ended, and starts a new file each day.
 */
public final class AccountingEvents {

    /** License usage, e.g. {@code 11/21/2026 14:02:11;L;license;floating…}. */
    private static final Pattern LICENCES = Pattern.compile("[^;]*;L;.*");

    private AccountingEvents() {}

    /**
     * @param folder {@code server_priv/accounting}
     * @param zone time zone of the server, which determines the file names
     */
    public static EventFile in(final Path folder, final ZoneId zone) {
        return new EventFile(
                "accounting log",
                now -> folder.resolve(DateTimeFormatter.BASIC_ISO_DATE.format(LocalDate.ofInstant(now, zone))),
                line -> !LICENCES.matcher(line).matches(),
                AccountingFiles.readAccess(folder));
    }
}
