package io.millrace.agent.openpbs;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * {@code grep} through the accounting log, one file a day, for lines that hold any of these fixed pieces.
 *
 * @param from the first day that matters, on the server's calendar
 */
record AccountingQuery(TorqueSite site, List<String> pieces, LocalDate from, LocalDate to)
        implements CommandLine<List<AccountingRecord>> {

    /** A job may be queued and run for long; a log kept for longer than this is looked at in its newest part. */
    private static final int DAYS = 400;

    static AccountingQuery of(
            final TorqueSite site, final Collection<String> ids, final Instant oldest, final Instant now) {
        return between(site, ids.stream().map(id -> ";" + id + ";").toList(), oldest, now);
    }

    /** Whatever left the queue since then. */
    static AccountingQuery endsSince(final TorqueSite site, final Instant since, final Instant now) {
        return between(site, List.of(";E;", ";D;", ";A;"), since, now);
    }

    private static AccountingQuery between(
            final TorqueSite site, final List<String> pieces, final Instant oldest, final Instant now) {
        final LocalDate last = now.atZone(site.zone()).toLocalDate().plusDays(1);
        final LocalDate first = oldest.atZone(site.zone()).toLocalDate().minusDays(1);
        return new AccountingQuery(
                site, pieces, first.isBefore(last.minusDays(DAYS)) ? last.minusDays(DAYS) : first, last);
    }

    @Override
    public List<String> argv() {
        final List<String> argv =
                new ArrayList<>(List.of("grep", "--no-filename", "--text", "--fixed-strings", "--file=-", "--"));
        for (LocalDate day = from; !day.isAfter(to); day = day.plusDays(1)) {
            argv.add(site.accounting()
                    .resolve(DateTimeFormatter.BASIC_ISO_DATE.format(day))
                    .toString());
        }
        return argv;
    }

    @Override
    public byte[] input() {
        return String.join("\n", pieces).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(60);
    }

    @Override
    public Answer<List<AccountingRecord>> read(final CommandResult result) {
        // Exit 1: nothing found; 2: a file is missing, which is so on every day without a job.
        final String trouble = new String(result.error(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.contains("No such file or directory"))
                .collect(Collectors.joining("; "));
        if (trouble.contains("Permission denied")) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "the accounting log cannot be read: " + trouble + "; let the agent read it: setfacl -m u:USER:x "
                            + site.accounting().getParent() + "; setfacl -m u:USER:rX -d -m u:USER:rX "
                            + site.accounting());
        }
        if (result.exit() > 2 || !trouble.isEmpty()) {
            return CommandErrors.of(
                    "grep in " + site.accounting(),
                    CommandResult.of(result.exit(), "", trouble),
                    Answer.Kind.UNREADABLE);
        }
        final List<AccountingRecord> records = new ArrayList<>();
        result.outputText()
                .lines()
                .forEach(line -> AccountingRecord.read(line, site.zone()).ifPresent(records::add));
        return Answer.ok(records);
    }
}
