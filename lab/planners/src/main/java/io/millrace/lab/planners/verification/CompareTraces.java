package io.millrace.lab.planners.verification;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.Summary;
import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * {@code ./millrace bench traces}: simulates each trace of a folder with EASY and with every policy that has a reference schedule. Exit code 1
 * if a start differs from a reference schedule.
 */
@Command(
        name = "traces",
        description = {
            "Compares simulated schedules with reference schedules, and measures simulated jobs per second.",
            "FOLDER has traces (*.swf, *.swf.gz) and reference schedules (TRACE-POLICY.csv[.gz]; POLICY is fcfs, easy,"
                    + " easysjbf or conservative), in subfolders 'traces' and 'oracle' or directly."
        })
public final class CompareTraces implements Callable<Integer> {

    @Parameters(paramLabel = "FOLDER", description = "folder with traces and reference schedules")
    private Path folder = Path.of(".");

    private static final int MAX_DIFFERENCES = 3;
    private static final String ROW = "%-22s %-13s %8s %6s %12s %9s %8s  %s%n";

    private final PrintStream out;
    private final PrintStream err;
    private boolean anyDiffers;

    public CompareTraces(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException {
        bench(folder);
        return anyDiffers ? 1 : 0;
    }

    private void bench(final Path in) throws IOException {
        final TreeMap<String, Path> traces = traces(within(in, "traces"));
        final TreeMap<String, List<Path>> references = new TreeMap<>();
        for (final Path file : ReferenceSchedule.in(schedules(in))) {
            final String name = file.getFileName().toString();
            references
                    .computeIfAbsent(name.substring(0, name.lastIndexOf('-')), t -> new ArrayList<>())
                    .add(file);
        }
        out.printf(Locale.ROOT, ROW, "trace", "policy", "jobs", "cores", "mean wait", "bsld", "jobs/s", "reference");
        for (final var trace : traces.entrySet()) {
            bench(trace.getKey(), SwfReader.read(trace.getValue()), references.getOrDefault(trace.getKey(), List.of()));
        }
        references.keySet().stream()
                .filter(name -> !traces.containsKey(name))
                .forEach(name -> err.println("no trace for the reference schedules of '" + name + "'"));
    }

    /** The folder of the reference schedules: the same, a subfolder, or a sibling of the folder 'traces'. */
    private static Path schedules(final Path in) {
        final Path next = in.toAbsolutePath().normalize().resolveSibling("oracle");
        return in.endsWith("traces") && Files.isDirectory(next) ? next : within(in, "oracle");
    }

    private static Path within(final Path in, final String name) {
        return Files.isDirectory(in.resolve(name)) ? in.resolve(name) : in;
    }

    private static TreeMap<String, Path> traces(final Path in) throws IOException {
        final TreeMap<String, Path> traces = new TreeMap<>();
        try (Stream<Path> files = Files.list(in)) {
            files.filter(file -> file.getFileName().toString().matches(".+\\.swf(\\.gz)?"))
                    .forEach(file ->
                            traces.put(file.getFileName().toString().replaceFirst("\\.swf(\\.gz)?$", ""), file));
        }
        return traces;
    }

    private void bench(final String name, final SwfTrace trace, final List<Path> references) throws IOException {
        final int cores = trace.cores();
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
        // The best of three runs counts; the first ones warm up the JVM.
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
        differences.stream().limit(MAX_DIFFERENCES).forEach(line -> out.println("    " + line));
    }
}
