package io.millrace.simulator;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
import io.millrace.simulator.swf.SwfWriter;
import io.millrace.simulator.workload.Workload;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./millrace simulate}: runs a trace or a generated workload on one virtual cluster. */
@Command(name = "simulate", sortOptions = false, description = "Runs a workload on one virtual cluster.")
final class Simulate implements Callable<Integer> {

    private static final int MAX_WARNINGS = 10;

    @Spec
    private @Nullable CommandSpec spec;

    @ArgGroup(exclusive = true, multiplicity = "1")
    private Input input = new Input();

    /** Either a trace or a generated workload. */
    private static final class Input {
        @Option(
                names = "--trace",
                paramLabel = "FILE",
                description = "a log in the Standard Workload Format, compressed with gzip or not")
        private @Nullable Path trace;

        @ArgGroup(exclusive = false, heading = "Generated workloads:%n")
        private @Nullable WorkloadOptions generated;
    }

    @Option(
            names = "--cores",
            paramLabel = "N",
            description = "cores of the cluster (default: MaxProcs of the log's header)")
    private @Nullable Integer cores;

    @Mixin
    private PolicyOptions policy = new PolicyOptions();

    @Option(names = "--jobs", paramLabel = "FILE", description = "write one line per job (CSV, seconds)")
    private @Nullable Path jobs;

    @Option(names = "--segments", paramLabel = "FILE", description = "write one line per run of a job (CSV, seconds)")
    private @Nullable Path segments;

    @Option(names = "--summary", paramLabel = "FILE", description = "write the summary (JSON); it is always printed")
    private @Nullable Path summary;

    @Option(names = "--gantt", paramLabel = "FILE", description = "write a Gantt chart of the schedule (SVG)")
    private @Nullable Path gantt;

    @Option(
            names = "--gantt-jobs",
            paramLabel = "N",
            description = "number of jobs in the chart, from the first submitted (default: 2000)")
    private int ganttJobs = 2000;

    @Option(names = "--swf", paramLabel = "FILE", description = "write the workload in the Standard Workload Format")
    private @Nullable Path swf;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "seed of random choices; the same seed gives the same bytes (default: 1)")
    private long seed = 1;

    @ArgGroup(exclusive = false, heading = "Node faults:%n")
    private @Nullable Faults faults;

    /** Node faults at random times. */
    private static final class Faults {
        @Option(
                names = "--fault-every",
                required = true,
                paramLabel = "SECONDS",
                description = "mean time between two node faults; jobs on the node lose their work and are requeued")
        private long every_s = 1;

        @Option(names = "--node-cores", paramLabel = "N", description = "cores of a node (default: 1)")
        private int coresPerNode = 1;

        @Option(
                names = "--repair",
                paramLabel = "SECONDS",
                description = "time until a failed node returns (default: 3600)")
        private long repair_s = 3600;
    }

    @Option(
            names = "--compat",
            paramLabel = "pyss",
            description = "use the event order of the simulator pyss, so that schedules can be compared job by job")
    private @Nullable Compat compat;

    /** Other simulators whose event order can be used. */
    private enum Compat {
        PYSS
    }

    private final PrintStream out;
    private final PrintStream err;

    Simulate(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() throws IOException {
        final BackfillPolicy chosen = checkedPolicy();
        final SwfTrace trace = input.generated == null ? read(input.trace) : generate(input.generated);
        warn("skipped ", trace.skipped());
        warn("", trace.longer());
        if (trace.neverStarted() > 0) {
            err.println(trace.neverStarted() + " jobs never started; they are left out");
        }
        final int available = cores != null
                ? cores
                : trace.maxProcs()
                        .orElseThrow(() -> wrong("--cores is required, because the header of the log has no MaxProcs"));
        final List<SwfJob> fitting =
                trace.jobs().stream().filter(job -> job.cores() <= available).toList();
        warnOfChanges(trace, available);
        final Scenario scenario = Scenario.of(
                        available, chosen, compat == null ? EventOrder.PASS_PER_INSTANT : EventOrder.PYSS)
                .withCheckpointableShare(policy.checkpointable(), seed)
                .disturbed(
                        faults == null
                                ? List.of()
                                : new NodeFaults(faults.coresPerNode, faults.every_s, faults.repair_s)
                                        .on(fitting, available, seed));
        final long began = System.nanoTime();
        final List<SimulatedJob> simulated = Simulation.run(fitting, scenario);
        final double wall_s = (System.nanoTime() - began) / 1e9;
        final String figures = Summary.of(simulated, available).json(wall_s);
        write(jobs, writer -> JobsCsv.write(simulated, writer));
        write(segments, writer -> SegmentsCsv.write(simulated, writer));
        write(gantt, writer -> GanttSvg.write(simulated, ganttJobs, available, SegmentKindPalette.PALETTE, writer));
        write(swf, writer -> SwfWriter.write(trace.header(), trace.jobs(), writer));
        write(summary, writer -> writer.write(figures));
        out.print(figures);
        return 0;
    }

    /** The policy, after the checks that involve several options. */
    private BackfillPolicy checkedPolicy() {
        require(cores == null || cores >= 1, "--cores must be at least 1, got " + cores);
        require(seed >= 0, "--seed must not be negative, got " + seed);
        require(ganttJobs >= 1, "--gantt-jobs must be at least 1, got " + ganttJobs);
        require(
                policy.checkpointable() >= 0 && policy.checkpointable() <= 1,
                "--checkpointable must be from 0 to 1, got " + policy.checkpointable());
        require(
                faults == null || faults.every_s >= 1 && faults.coresPerNode >= 1 && faults.repair_s >= 1,
                "--fault-every, --node-cores and --repair must be at least 1");
        require(
                compat == null || faults == null,
                "--compat pyss and --fault-every exclude each other: pyss has no faults");
        final BackfillPolicy chosen = checked(policy::policy);
        require(
                compat == null || chosen.preemption() == null,
                "--compat pyss and --policy checkpoint exclude each other: pyss has no preemption");
        return chosen;
    }

    private interface Reader<T> {
        T read();
    }

    private <T> T checked(final Reader<T> reader) {
        try {
            return reader.read();
        } catch (final IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        }
    }

    private void require(final boolean condition, final String message) {
        if (!condition) {
            throw wrong(message);
        }
    }

    private ParameterException wrong(final String message) {
        if (spec == null) {
            throw new IllegalStateException("not run by picocli");
        }
        return new ParameterException(spec.commandLine(), message);
    }

    private static SwfTrace read(final @Nullable Path trace) throws IOException {
        if (trace == null) {
            throw new IllegalStateException("picocli requires --trace or --generate");
        }
        return SwfReader.read(trace);
    }

    private SwfTrace generate(final WorkloadOptions options) {
        if (cores == null) {
            throw wrong("--generate needs --cores");
        }
        final int available = cores;
        final Workload workload = checked(() -> options.workload(available));
        final Map<String, String> header = new LinkedHashMap<>();
        header.put("Version", "2.2");
        header.put("Computer", "synthetic: " + workload);
        header.put("Note", "seed " + seed);
        header.put("MaxProcs", Integer.toString(available));
        return new SwfTrace(header, workload.jobs(seed), List.of(), 0, List.of());
    }

    private void warnOfChanges(final SwfTrace trace, final int available) {
        final long wide =
                trace.jobs().stream().filter(job -> job.cores() > available).count();
        if (wide > 0) {
            err.println("skipped " + wide + " jobs that need more than " + available + " cores");
        }
        final long late = trace.jobs().stream()
                .filter(job -> job.run_s() > job.requested_s())
                .count();
        if (late > 0) {
            err.println(late + " jobs ran longer than requested; they are ended at their limit");
        }
    }

    private void warn(final String prefix, final List<String> lines) {
        lines.stream().limit(MAX_WARNINGS).forEach(line -> err.println(prefix + line));
        if (lines.size() > MAX_WARNINGS) {
            err.println(prefix + (lines.size() - MAX_WARNINGS) + " more lines");
        }
    }

    private interface Content {
        void writeTo(Writer writer) throws IOException;
    }

    private static void write(final @Nullable Path file, final Content content) throws IOException {
        if (file != null) {
            try (Writer writer = Files.newBufferedWriter(file)) {
                content.writeTo(writer);
            }
        }
    }
}
