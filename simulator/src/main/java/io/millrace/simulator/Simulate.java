package io.millrace.simulator;

import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfReader;
import io.millrace.simulator.swf.SwfTrace;
import io.millrace.simulator.swf.SwfWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code ./millrace simulate}: a trace on one virtual cluster. Exit codes: 0 done, 1 a file is at fault, 2 the command line is. */
public final class Simulate {

    private static final int TOLD = 10;

    private final PrintStream out;
    private final PrintStream err;

    Simulate(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    int run(final String... args) {
        if (List.of(args).contains("--help")) {
            out.print(Options.USAGE);
            return 0;
        }
        try {
            simulate(Options.parse(args));
            return 0;
        } catch (final IllegalArgumentException e) {
            err.println("simulate: " + e.getMessage());
            err.print(Options.USAGE);
            return 2;
        } catch (final NoSuchFileException e) {
            err.println("simulate: there is no file or folder '" + e.getMessage() + "'");
            return 1;
        } catch (final IOException e) {
            err.println("simulate: " + e.getMessage());
            return 1;
        }
    }

    private void simulate(final Options options) throws IOException {
        final SwfTrace trace = trace(options);
        tell("skipped ", trace.skipped());
        tell("", trace.longer());
        final int cores = options.cores()
                .or(trace::maxProcs)
                .orElseThrow(() ->
                        new IllegalArgumentException("--cores is missing, and the header of the log has no MaxProcs"));
        final List<SwfJob> fitting =
                trace.jobs().stream().filter(job -> job.cores() <= cores).toList();
        tellChanged(trace, cores);
        final Scenario scenario = Scenario.of(cores, options.policy(), options.order())
                .chance(options.checkpointable(), options.seed())
                .disturbed(options.faults()
                        .map(faults -> faults.on(fitting, cores, options.seed()))
                        .orElse(List.of()));
        final long began = System.nanoTime();
        final List<SimulatedJob> jobs = Simulation.run(fitting, scenario);
        final double wall = (System.nanoTime() - began) / 1e9;
        final String summary = Summary.of(jobs, cores).json(wall);
        write(options.jobs(), writer -> JobsCsv.write(jobs, writer));
        write(options.segments(), writer -> SegmentsCsv.write(jobs, writer));
        write(
                options.gantt(),
                writer -> GanttSvg.write(jobs, options.ganttJobs(), cores, SegmentKindPalette.PALETTE, writer));
        write(options.swf(), writer -> SwfWriter.write(trace.header(), trace.jobs(), writer));
        write(options.summary(), writer -> writer.write(summary));
        out.print(summary);
    }

    private static SwfTrace trace(final Options options) throws IOException {
        if (options.generate().isEmpty()) {
            return SwfReader.read(options.trace().orElseThrow());
        }
        final Map<String, String> header = new LinkedHashMap<>();
        header.put("Version", "2.2");
        header.put("Computer", "synthetic: " + options.generate().get());
        header.put("Note", "seed " + options.seed());
        header.put("MaxProcs", options.cores().orElseThrow().toString());
        return new SwfTrace(header, options.generate().get().jobs(options.seed()), List.of(), List.of());
    }

    private void tellChanged(final SwfTrace trace, final int cores) {
        final long wide =
                trace.jobs().stream().filter(job -> job.cores() > cores).count();
        if (wide > 0) {
            err.println("skipped " + wide + " jobs that need more than " + cores + " cores");
        }
        final long late = trace.jobs().stream()
                .filter(job -> job.run_s() > job.requested_s())
                .count();
        if (late > 0) {
            err.println(late + " jobs ran longer than they asked for; they are ended at their limit");
        }
    }

    private void tell(final String what, final List<String> lines) {
        lines.stream().limit(TOLD).forEach(line -> err.println(what + line));
        if (lines.size() > TOLD) {
            err.println(what + (lines.size() - TOLD) + " more lines");
        }
    }

    private interface Content {
        void writeTo(Writer writer) throws IOException;
    }

    private static void write(final Optional<Path> file, final Content content) throws IOException {
        if (file.isPresent()) {
            try (Writer writer = Files.newBufferedWriter(file.get())) {
                content.writeTo(writer);
            }
        }
    }
}
