package io.millrace.agent.torque.accounting;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.AccountingFiles;
import io.millrace.agent.torque.query.TorqueErrors;
import io.millrace.agent.torque.query.TorqueSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.LogRecords;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Searches the accounting log by {@code grep} for lines that contain any of the given strings. */
public record AccountingQuery(TorqueSite site, List<String> files, List<String> strings)
        implements CommandLine<List<AccountingRecord>> {

    public static AccountingQuery of(
            final TorqueSite site, final Collection<String> ids, final Instant oldest, final Instant now) {
        return between(site, ids.stream().map(id -> ";" + id + ";").toList(), oldest, now);
    }

    /** Records of all jobs that left the queue since the given time. */
    static AccountingQuery endsSince(final TorqueSite site, final Instant since, final Instant now) {
        return between(site, List.of(";E;", ";D;", ";A;"), since, now);
    }

    private static AccountingQuery between(
            final TorqueSite site, final List<String> strings, final Instant oldest, final Instant now) {
        return new AccountingQuery(site, AccountingFiles.between(site.accounting(), oldest, now, site.zone()), strings);
    }

    @Override
    public List<String> argv() {
        final List<String> argv =
                new ArrayList<>(List.of("grep", "--no-filename", "--text", "--fixed-strings", "--file=-", "--"));
        argv.addAll(files);
        return argv;
    }

    @Override
    public byte[] input() {
        return String.join("\n", strings).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(60);
    }

    @Override
    public Answer<List<AccountingRecord>> read(final CommandResult result) {
        // Exit code 1: no match. Exit code 2: a file is missing, as for each day without jobs.
        final String trouble = new String(result.error(), StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.contains("No such file or directory"))
                .collect(Collectors.joining("; "));
        if (trouble.contains("Permission denied")) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "cannot read the accounting log: " + trouble + "; "
                            + AccountingFiles.readAccess(site.accounting()));
        }
        if (result.exit() > 2 || !trouble.isEmpty()) {
            return TorqueErrors.of(
                    "grep in " + site.accounting(),
                    CommandResult.of(result.exit(), "", trouble),
                    Answer.Kind.UNREADABLE);
        }
        return Answer.ok(AccountingRecord.inOrder(
                LogRecords.read(
                        "the accounting log",
                        result.outputText().lines().toList(),
                        line -> AccountingRecord.read(line, site.zone())),
                site.zone()));
    }
}
