package io.millrace.simulator.experiment;

import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code ./millrace experiment checkpoint FOLDER OUT TRACE...}: checkpoint backfill against EASY and conservative backfill. */
public final class ExperimentCheckpoint {

    static final String USAGE = """
            usage: experiment checkpoint FOLDER OUT [TRACE...]
              FOLDER holds logs TRACE.swf.gz (or has a subfolder 'traces' that does); without names, KTH-SP2, SDSC-SP2, SDSC-BLUE, CTC-SP2
              OUT is the folder for checkpoint.md and its charts
            """;
    private static final List<String> USUAL = List.of("KTH-SP2", "SDSC-SP2", "SDSC-BLUE", "CTC-SP2");

    private final PrintStream out;
    private final PrintStream err;

    public ExperimentCheckpoint(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run(final List<String> args) {
        if (args.size() < 2 || args.stream().anyMatch(arg -> arg.startsWith("--"))) {
            err.print(USAGE);
            return 2;
        }
        final Path given = Path.of(args.get(0));
        final Path folder = Files.isDirectory(given.resolve("traces")) ? given.resolve("traces") : given;
        final List<String> names = args.size() > 2 ? args.subList(2, args.size()) : USUAL;
        try {
            final Map<String, Map<String, Summary>> results = new LinkedHashMap<>();
            for (final String name : names) {
                results.put(name, trace(name, SwfReader.read(folder.resolve(name + ".swf.gz"))));
            }
            final Path to = Path.of(args.get(1));
            Files.createDirectories(to);
            Files.writeString(to.resolve("checkpoint.md"), new CheckpointPage(results).text());
            Files.writeString(
                    to.resolve("checkpoint-wait.svg"),
                    ReductionChart.changes("mean wait", results, Summary::meanWait_s));
            Files.writeString(
                    to.resolve("checkpoint-slowdown.svg"),
                    ReductionChart.changes("mean bounded slowdown", results, Summary::meanBoundedSlowdown));
            out.println("wrote " + to.resolve("checkpoint.md"));
            return 0;
        } catch (final NoSuchFileException e) {
            err.println("experiment: there is no file or folder '" + e.getMessage() + "'");
            return 1;
        } catch (final IOException e) {
            err.println("experiment: " + e);
            return 1;
        }
    }

    private Map<String, Summary> trace(final String name, final SwfTrace trace) {
        final int widest = trace.jobs().stream().mapToInt(SwfJob::cores).max().orElse(1);
        final int cores = Math.max(widest, trace.maxProcs().orElse(widest));
        final Map<String, Summary> results = new LinkedHashMap<>();
        final List<Map.Entry<String, BackfillPolicy>> policies =
                new ArrayList<>(ComparedPolicies.all().entrySet());
        for (final Map.Entry<String, BackfillPolicy> policy : policies) {
            final Scenario scenario = Scenario.of(cores, policy.getValue(), EventOrder.PASS_PER_INSTANT);
            results.put(policy.getKey(), Summary.of(Simulation.run(trace.jobs(), scenario), cores));
            out.println(name + ": " + policy.getKey());
        }
        return results;
    }
}
