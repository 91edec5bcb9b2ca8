package io.millrace.agent.lsf.history;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.LogRecords;
import java.nio.file.Path;
import java.util.List;

/**
 * The end of {@code lsb.acct} or of the rotated file.
 *
 * @param bytes how many bytes to read from the end
 */
record AccountingTail(LsfSite site, Path file, long bytes) implements LsfQuery<AccountingTail.Lines> {

    /** @param wholeFile whether the records are the whole file */
    record Lines(List<AccountingRecord> records, boolean wholeFile) {}

    @Override
    public List<String> argv() {
        return List.of("tail", "--bytes=" + bytes, "--", file.toString());
    }

    /** The complete lines about ends of jobs; lsb.acct also contains other events. */
    private static List<String> ends(final String text) {
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.startsWith("\"JOB_FINISH\""))
                .toList();
    }

    @Override
    public Answer<Lines> read(final CommandResult result) {
        if (result.errorText().contains("No such file")) {
            return Answer.ok(new Lines(List.of(), true));
        }
        return result.succeeded()
                ? Answer.ok(new Lines(
                        LogRecords.read(file.toString(), ends(result.outputText()), AccountingRecord::read),
                        result.output().length < bytes))
                : LsfErrors.of("tail of " + file, result, Answer.Kind.UNREADABLE);
    }
}
