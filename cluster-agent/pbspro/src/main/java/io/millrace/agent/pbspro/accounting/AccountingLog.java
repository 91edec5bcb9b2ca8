package io.millrace.agent.pbspro.accounting;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.AccountingFiles;
import io.millrace.agent.pbspro.query.PbsErrors;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.LogRecords;
import io.millrace.model.AttemptId;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Commands that read the accounting log: {@code server_priv/accounting/YYYYMMDD}, one file per day of the server's time zone, one
 * line per event.
 */
public final class AccountingLog {

    private AccountingLog() {}

    /** The files of the given period. */
    static List<String> files(final Path folder, final Instant from, final Instant to) {
        return AccountingFiles.between(folder, from, to, ZoneOffset.UTC);
    }

    /** Whether the agent can read the log. */
    public record Readable(Path folder) implements CommandLine<Boolean> {
        @Override
        public List<String> argv() {
            return List.of("test", "-r", folder.toString());
        }

        @Override
        public Answer<Boolean> read(final CommandResult result) {
            return Answer.ok(result.succeeded());
        }
    }

    /** Runs {@code grep} for lines that contain any of the given fixed strings. */
    record Search(PbsSite site, List<String> files, List<String> strings)
            implements CommandLine<List<AccountingRecord>> {

        /** The records of jobs with these tags. Those of other attempts of the same job may be among them. */
        static Search tagged(final PbsSite site, final List<String> files, final Collection<AttemptId> attempts) {
            return new Search(
                    site, files, attempts.stream().map(attempt -> "." + attempt).toList());
        }

        @Override
        public List<String> argv() {
            final List<String> argv = new ArrayList<>(
                    List.of("grep", "--no-messages", "--no-filename", "--text", "--fixed-strings", "--file=-", "--"));
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
            // Exit code 1: no match. Exit code 2 without a message: some days have no file.
            if (result.exit() > 2 || !result.errorText().isEmpty()) {
                return PbsErrors.of(site, "grep in the accounting log", result, Answer.Kind.UNREADABLE);
            }
            return Answer.ok(records(site, result.outputText()));
        }
    }

    /** Reads what was appended to a day's file after the given offset in bytes. */
    record Tail(PbsSite site, String file, long offset) implements CommandLine<byte[]> {
        @Override
        public List<String> argv() {
            return List.of("tail", "--bytes=+" + (offset + 1), "--", file);
        }

        @Override
        public Duration limit() {
            return Duration.ofSeconds(30);
        }

        @Override
        public Answer<byte[]> read(final CommandResult result) {
            return result.succeeded() || result.errorText().contains("No such file")
                    ? Answer.ok(result.output())
                    : PbsErrors.of(
                            site,
                            "tail of " + file,
                            result,
                            Answer.Kind.UNREADABLE,
                            AccountingFiles.readAccess(
                                    Path.of(file).resolveSibling("").normalize()));
        }
    }

    /** Runs {@code tracejob} and extracts the accounting lines of one job. Requires root on the server's host. */
    public record Trace(PbsSite site, String id, int days) implements CommandLine<List<AccountingRecord>> {
        @Override
        public List<String> argv() {
            return List.of(site.program("tracejob"), "-n", Integer.toString(days), "-m", "-s", "-l", id);
        }

        @Override
        public Duration limit() {
            return Duration.ofSeconds(60);
        }

        @Override
        public Answer<List<AccountingRecord>> read(final CommandResult result) {
            if (!result.succeeded()) {
                return PbsErrors.of(site, "tracejob " + id, result, Answer.Kind.UNREADABLE);
            }
            return Answer.ok(result.outputText()
                    .lines()
                    .filter(line -> line.matches("\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d  A    .*"))
                    .map(this::record)
                    .flatMap(Optional::stream)
                    .toList());
        }

        /** tracejob omits the type and the id. A line with an end time and an exit status is the end of a run. */
        private Optional<AccountingRecord> record(final String line) {
            final String fields = line.substring(26);
            final String type = !fields.contains(" end=") ? "S" : fields.contains("Exit_status=-11 ") ? "R" : "E";
            return AccountingRecord.read(site, line.substring(0, 19) + ";" + type + ";" + id + ";" + fields);
        }
    }

    public static List<AccountingRecord> records(final PbsSite site, final String text) {
        return LogRecords.read("the accounting log", text.lines().toList(), line -> AccountingRecord.read(site, line));
    }
}
