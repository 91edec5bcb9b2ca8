package io.millrace.simulator.verification;

import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.Summary;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code ./millrace bench traces FOLDER}: every trace of the folder under the policies that it has reference schedules for, and under EASY in any
 * case. Exit codes: 0 not one start differs, 1 some do, or a file is at fault, 2 the command line is wrong.
 */
public final class CompareTraces {

    private static final String USAGE = """
        usage: bench traces FOLDER
          FOLDER holds traces (*.swf, *.swf.gz) and reference schedules (TRACE-POLICY.csv, or .csv.gz), or has subfolders
          'traces' and 'oracle' that do, or is such a subfolder 'traces'; POLICY is fcfs, easy, easysjbf or conservative
        """;
    private static final int TOLD = 3;
    private static final String ROW = "%-22s %-13s %8s %6s %12s %9s %8s  %s%n";

    private final PrintStream out;
    private final PrintStream err;
    private boolean anyDiffers;

    public CompareTraces(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run(final String... args) {
        if (args.length != 1 || args[0].startsWith("--")) {
            err.print(USAGE);
            return 2;
        }
        try {
            bench(Path.of(args[0]));
            return anyDiffers ? 1 : 0;
        } catch (final NoSuchFileException e) {
            err.println("bench: there is no file or folder '" + e.getMessage() + "'");
            return 1;
        } catch (final IOException e) {
            err.println("bench: " + e);
            return 1;
        }
    }

    private void bench(final Path folder) throws IOException {
        final TreeMap<String, Path> traces = traces(within(folder, "traces"));
        final TreeMap<String, List<Path>> references = new TreeMap<>();
        for (final Path file : ReferenceSchedule.in(schedules(folder))) {
            final String name = file.getFileName().toString();
            references
                    .computeIfAbsent(name.substring(0, name.lastIndexOf('-')), t -> new ArrayList<>())
                    .add(file);
        }
        out.printf(
                Locale.ROOT,
                ROW,
                "trace",
                "policy",
                "jobs",
                "cores",
                "mean wait",
                "bsld",
                "jobs/s",
                "against the reference");
        for (final var trace : traces.entrySet()) {
            bench(trace.getKey(), SwfReader.read(trace.getValue()), references.getOrDefault(trace.getKey(), List.of()));
        }
        references.keySet().stream()
                .filter(name -> !traces.containsKey(name))
                .forEach(name -> err.println("bench: no trace for the reference schedules of '" + name + "'"));
    }

    /** Beside the traces, in a subfolder, or in the folder next to theirs. */
    private static Path schedules(final Path folder) {
        final Path next = folder.toAbsolutePath().normalize().resolveSibling("oracle");
        return folder.endsWith("traces") && Files.isDirectory(next) ? next : within(folder, "oracle");
    }

    private static Path within(final Path folder, final String name) {
        return Files.isDirectory(folder.resolve(name)) ? folder.resolve(name) : folder;
    }

    private static TreeMap<String, Path> traces(final Path folder) throws IOException {
        final TreeMap<String, Path> traces = new TreeMap<>();
        try (Stream<Path> files = Files.list(folder)) {
            files.filter(file -> file.getFileName().toString().matches(".+\\.swf(\\.gz)?"))
                    .forEach(file ->
                            traces.put(file.getFileName().toString().replaceFirst("\\.swf(\\.gz)?$", ""), file));
        }
        return traces;
    }

    private void bench(final String name, final SwfTrace trace, final List<Path> references) throws IOException {
        final int widest = trace.jobs().stream().mapToInt(SwfJob::cores).max().orElse(1);
        // Some headers name fewer processors than their jobs use.
        final int cores = Math.max(widest, trace.maxProcs().orElse(widest));
        boolean easy = false;
        for (final Path file : references) {
            final ReferenceSchedule reference = ReferenceSchedule.read(file);
            easy |= reference.policy().equals("easy");
            bench(name, reference.policy(), trace, cores, reference);
        }
        if (!easy) {
            bench(name, "easy", trace, cores, null);
        }
    }

    private void bench(
            final String name,
            final String policyName,
            final SwfTrace trace,
            final int cores,
            final @Nullable ReferenceSchedule reference) {
        final BackfillPolicy policy = ReferenceSchedule.policy(policyName);
        long nanos = Long.MAX_VALUE;
        List<SimulatedJob> jobs = List.of();
        // The first runs warm the machine up; what counts is the best of the rest.
        for (int i = 0; i < 3; i++) {
            final long began = System.nanoTime();
            jobs = Simulation.run(trace.jobs(), cores, policy, EventOrder.PYSS);
            nanos = Math.min(nanos, System.nanoTime() - began);
        }
        final Summary summary = Summary.of(jobs, cores);
        final List<String> differences = reference == null ? List.of() : reference.differences(jobs);
        anyDiffers |= !differences.isEmpty();
        out.printf(
                Locale.ROOT,
                ROW,
                name,
                policyName,
                jobs.size(),
                cores,
                String.format(Locale.ROOT, "%.2f", summary.meanWait_s()),
                String.format(Locale.ROOT, "%.2f", summary.meanBoundedSlowdown()),
                String.format(Locale.ROOT, "%.0f", jobs.size() / (nanos / 1e9)),
                reference == null ? "(none)" : differences.size() + " of " + jobs.size() + " starts differ");
        differences.stream().limit(TOLD).forEach(line -> out.println("    " + line));
    }
}
