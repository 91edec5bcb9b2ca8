package io.millrace.agent.history;

import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
import io.millrace.model.ClusterId;
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
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
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
    private long lines;
    private long added;
    private long known;
    private long neverStarted;
    private long malformed;
    private long lastMessage_ns = System.nanoTime();

    ImportHistory(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        final long from_ns = System.nanoTime();
        try (HistoryFile target = HistoryFile.open(history)) {
            final ClusterId id = ClusterId.of(cluster);
            for (final Path file : files) {
                read(file, format.reader(id, zone), target);
            }
        } catch (final IllegalArgumentException e) {
            err.println("history import: " + e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (final IOException e) {
            err.println("history import: " + reason(e));
            return CommandLine.ExitCode.SOFTWARE;
        }
        final double seconds = (System.nanoTime() - from_ns) / 1e9;
        out.printf(
                Locale.ROOT,
                "%d lines read in %.1f s: %d runs added, %d already known, %d jobs never started, %d malformed lines skipped%n",
                lines,
                seconds,
                added,
                known,
                neverStarted,
                malformed);
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
        long number = 0;
        long shown = malformed + shownMalformed;
        try (LineSource source = LineSource.open(file)) {
            for (String line = source.next(); line != null; line = source.next()) {
                lines++;
                number++;
                final String text = line;
                accept(file, number, shown, target, () -> source.isTooLong() ? tooLong() : reader.read(text));
                showProgress(file, source);
            }
            accept(file, number, shown, target, reader::atEndOfFile);
        } catch (final EOFException | ZipException e) {
            throw new IOException(
                    "'" + file + "' is damaged after line " + number + " (" + e.getMessage()
                            + "); the runs before it are imported",
                    e);
        }
        if (malformed > shown) {
            err.println(file + ": " + (malformed - shown) + " more malformed lines");
        }
    }

    private static Optional<EndedJob> tooLong() {
        throw new IllegalArgumentException("longer than 1 MiB");
    }

    private void accept(
            final Path file,
            final long number,
            final long shown,
            final HistoryFile target,
            final Supplier<Optional<EndedJob>> reading)
            throws IOException {
        final @Nullable EndedJob job;
        try {
            job = reading.get().orElse(null);
        } catch (final IllegalArgumentException e) {
            malformed++;
            if (malformed <= shown) {
                err.println(file + ":" + number + ": " + e.getMessage());
            }
            return;
        }
        if (job == null) {
            return;
        }
        for (final Run run : job.runs()) {
            if (run.started() == null) {
                neverStarted++;
            } else if (target.add(job.end(run))) {
                added++;
            } else {
                known++;
            }
        }
    }

    private void showProgress(final Path file, final LineSource source) throws IOException {
        if (lines % LINES_PER_CHECK != 0 || System.nanoTime() - lastMessage_ns < NANOS_PER_MESSAGE) {
            return;
        }
        lastMessage_ns = System.nanoTime();
        err.printf(Locale.ROOT, "%s: %.0f %%, %,d lines, %,d runs added%n", file, 100 * source.share(), lines, added);
    }
}
