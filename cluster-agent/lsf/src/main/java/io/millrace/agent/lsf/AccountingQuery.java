package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.model.AttemptId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Lines of {@code lsb.acct}, found by {@code grep}: the file grows without end. What an older file holds ({@code lsb.acct.1}) is looked
 * for there, too.
 *
 * @param pattern an extended regular expression
 */
record AccountingQuery(LsfSite site, Path logs, String pattern) implements LsfQuery<List<AccountingRecord>> {

    static AccountingQuery of(final LsfSite site, final Path logs, final List<String> ids) {
        final String numbers =
                ids.stream().map(id -> id.replaceAll("\\D.*", "")).distinct().collect(Collectors.joining("|"));
        return new AccountingQuery(site, logs, "^\"JOB_FINISH\" \"[^\"]*\" [0-9]+ (" + numbers + ") ");
    }

    static AccountingQuery of(final LsfSite site, final Path logs, final AttemptId attempt) {
        return new AccountingQuery(
                site,
                logs,
                "^\"JOB_FINISH\" .*# *millrace " + attempt.toString().replace(".", "\\."));
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
        // 1: nothing found, 2: one of the files is not there or cannot be read.
        return Answer.ok(result.outputText()
                .lines()
                .map(AccountingRecord::read)
                .flatMap(Optional::stream)
                .toList());
    }
}
