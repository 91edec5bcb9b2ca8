package io.millrace.agent.lsf.history;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.LogRecords;
import io.millrace.model.AttemptId;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Records of {@code lsb.acct} that match a pattern, selected by {@code grep} because the file grows without limit. The rotated file
 * {@code lsb.acct.1} is searched too.
 *
 * @param pattern an extended regular expression
 */
public record AccountingQuery(LsfSite site, Path logs, String pattern) implements LsfQuery<List<AccountingRecord>> {

    static AccountingQuery of(final LsfSite site, final Path logs, final List<String> ids) {
        final String numbers =
                ids.stream().map(id -> id.replaceAll("\\D.*", "")).distinct().collect(Collectors.joining("|"));
        return new AccountingQuery(site, logs, "^\"JOB_FINISH\" \"[^\"]*\" [0-9]+ (" + numbers + ") ");
    }

    static AccountingQuery tagged(final LsfSite site, final Path logs, final Collection<AttemptId> attempts) {
        final String tags = attempts.stream()
                .map(attempt -> attempt.toString().replace(".", "\\."))
                .collect(Collectors.joining("|"));
        return new AccountingQuery(site, logs, "^\"JOB_FINISH\" .*# *millrace (" + tags + ")");
    }

    @Override
    public List<String> argv() {
        return List.of(
                "grep",
                "--text",
                "--no-filename",
                "--no-messages",
                "--extended-regexp",
                "--regexp=" + pattern,
                "--",
                logs.resolve("lsb.acct").toString(),
                logs.resolve("lsb.acct.1").toString());
    }

    @Override
    public Answer<List<AccountingRecord>> read(final CommandResult result) {
        // Exit code 1: no match. Exit code 2: one of the files is missing or unreadable.
        return Answer.ok(LogRecords.read("lsb.acct", result.outputText().lines().toList(), AccountingRecord::read));
    }
}
