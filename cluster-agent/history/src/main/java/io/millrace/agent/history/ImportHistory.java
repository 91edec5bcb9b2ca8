package io.millrace.agent.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.history.ImportCounts.Kind;
import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RunEnded;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Use case: imports accounting files into a history file. */
@Command(
        name = "import",
        description = {
            "Imports accounting files into a history file.",
            "A run that the history already contains is not added again, so an import can be repeated."
        },
        mixinStandardHelpOptions = true)
final class ImportHistory implements Callable<Integer> {

    private static final int LINES_PER_CHECK = 1 << 12;
    private static final long NANOS_PER_MESSAGE = 1_000_000_000L;

    @Option(names = "--format", required = true, description = "Format of the files: ${COMPLETION-CANDIDATES}.")
    private AccountingFormat format = AccountingFormat.SLURM;

    @Option(names = "--cluster", required = true, paramLabel = "NAME", description = "Cluster of the jobs.")
    private String cluster = "";

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "Time zone of times without a zone, e.g. Europe/Berlin. Default: this machine's zone.")
    private ZoneId zone = ZoneId.systemDefault();

    @Option(
            names = "--memory-per-slot",
            description = "For lsf: the cluster reserves memory for each slot (RESOURCE_RESERVE_PER_TASK=Y in"
                    + " lsb.params).")
    private boolean memoryPerSlot;

    @Option(names = "--out", required = true, paramLabel = "FILE", description = "History file (JSON Lines).")
    private Path history = Path.of("");

    @Option(
            names = "--show-malformed",
            paramLabel = "COUNT",
            description =
                    "How many malformed lines to report for each file (default: ${DEFAULT-VALUE}). All are counted.")
    private int shownMalformed = 100;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Accounting files, compressed with gzip or not.")
    private List<Path> files = new ArrayList<>();

    private final PrintStream out;
    private final PrintStream err;
    private final ImportCounts counts = new ImportCounts();
    private long lastMessage_ns = System.nanoTime();

    ImportHistory(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        if (memoryPerSlot && format != AccountingFormat.LSF) {
            err.println("history import: --memory-per-slot is an option of format lsf only");
            return CommandLine.ExitCode.USAGE;
        }
        final long from_ns = System.nanoTime();
        try (HistoryFile target = HistoryFile.open(history)) {
            final AccountingFormat.Source source =
                    new AccountingFormat.Source(ClusterId.of(cluster), zone, memoryPerSlot);
            for (final Path file : files) {
                read(file, format.reader(source), target);
            }
        } catch (final IllegalArgumentException e) {
            err.println("history import: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (final IOException e) {
            err.println("history import: " + reason(e));
            return CommandLine.ExitCode.SOFTWARE;
        }
        out.println(counts.summary((System.nanoTime() - from_ns) / 1e9));
        return CommandLine.ExitCode.OK;
    }

    private static String reason(final IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> "file '" + missing.getFile() + "' not found";
            case AccessDeniedException denied -> "file '" + denied.getFile() + "' is not accessible";
            default -> String.valueOf(e.getMessage());
        };
    }

    private void read(final Path file, final AccountingReader reader, final HistoryFile target) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("'" + file + "' is a folder; specify the files in it");
        }
        final FileReport report = new FileReport(file, err, shownMalformed);
        try (LineSource source = LineSource.open(file)) {
            for (String line = source.next(); line != null; line = source.next()) {
                report.nextLine();
                take(report, target, reader, source.isTooLong() ? null : line);
                showProgress(file, source);
            }
            takeRest(report, target, reader);
        } catch (final EOFException | ZipException e) {
            throw new IOException(
                    "'" + file + "' is damaged after line " + report.lines() + " (" + e.getMessage()
                            + "); the runs before it are imported",
                    e);
        }
        report.close();
    }

    /** @param line null if it is too long */
    private void take(
            final FileReport report,
            final HistoryFile target,
            final AccountingReader reader,
            final @Nullable String line)
            throws IOException {
        final AccountingLine read;
        try {
            read = line == null ? tooLong() : reader.read(line);
        } catch (final IllegalArgumentException e) {
            counts.line(Kind.MALFORMED);
            report.malformed(e.getMessage());
            return;
        }
        switch (read) {
            case AccountingLine.Header header -> counts.line(Kind.HEADER);
            case AccountingLine.Repeated repeated -> counts.line(Kind.KNOWN);
            case AccountingLine.Detail detail -> counts.line(Kind.DETAIL);
            case AccountingLine.End end -> {
                counts.line(Kind.DETAIL);
                add(report, target, end.jobs());
            }
        }
    }

    private static AccountingLine tooLong() {
        throw new IllegalArgumentException("longer than 1 MiB");
    }

    private void takeRest(final FileReport report, final HistoryFile target, final AccountingReader reader)
            throws IOException {
        final List<EndedJob> jobs;
        try {
            jobs = reader.atEndOfFile();
        } catch (final IllegalArgumentException e) {
            counts.completed(Kind.MALFORMED);
            report.malformed(e.getMessage());
            return;
        }
        add(report, target, jobs);
    }

    private void add(final FileReport report, final HistoryFile target, final List<EndedJob> jobs) throws IOException {
        for (final EndedJob job : jobs) {
            for (final Run run : job.runs()) {
                counts.completed(add(report, target, job.end(run)));
            }
        }
    }

    private Kind add(final FileReport report, final HistoryFile target, final RunEnded run) throws IOException {
        if (run.startedAt() == null) {
            return Kind.NEVER_STARTED;
        }
        if (run.endedAt().isBefore(run.startedAt())) {
            report.malformed("job " + run.job().id().local() + " ends before it starts");
            return Kind.MALFORMED;
        }
        if (!target.add(run)) {
            return Kind.KNOWN;
        }
        if (run.owner().equals(NameMapping.NO_USER)) {
            report.withoutUser(run.job());
        }
        counts.addCoreSeconds(run.coreSeconds());
        return Kind.ADDED;
    }

    private void showProgress(final Path file, final LineSource source) throws IOException {
        if (counts.lines() % LINES_PER_CHECK != 0 || System.nanoTime() - lastMessage_ns < NANOS_PER_MESSAGE) {
            return;
        }
        lastMessage_ns = System.nanoTime();
        err.printf(
                Locale.ROOT,
                "%s: %.0f %%, %,d lines, %,d runs added%n",
                file,
                100 * source.share(),
                counts.lines(),
                counts.of(Kind.ADDED));
    }
}
