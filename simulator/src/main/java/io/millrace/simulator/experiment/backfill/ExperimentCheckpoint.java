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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./millrace experiment checkpoint}: compares checkpoint backfill with EASY and conservative backfill. */
@Command(name = "checkpoint", description = "Compares checkpoint backfill with EASY and conservative backfill.")
public final class ExperimentCheckpoint implements Callable<Integer> {

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "folder with logs TRACE.swf.gz, or with a subfolder 'traces' that has them")
    private Path given = Path.of("traces");

    @Parameters(index = "1", paramLabel = "OUT", description = "folder for checkpoint.md and its charts")
    private Path to = Path.of(".");

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "TRACE",
            description = "names of logs (default: KTH-SP2 SDSC-SP2 SDSC-BLUE CTC-SP2)")
    private List<String> names = List.of("KTH-SP2", "SDSC-SP2", "SDSC-BLUE", "CTC-SP2");

    private final PrintStream out;

    public ExperimentCheckpoint(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        final Path folder = Files.isDirectory(given.resolve("traces")) ? given.resolve("traces") : given;
        final Map<String, Map<String, Summary>> results = new LinkedHashMap<>();
        for (final String name : names) {
            results.put(name, trace(name, SwfReader.read(folder.resolve(name + ".swf.gz"))));
        }
        Files.createDirectories(to);
        Files.writeString(to.resolve("checkpoint.md"), new CheckpointPage(results).text());
        Files.writeString(
                to.resolve("checkpoint-wait.svg"), ReductionChart.changes("mean wait", results, Summary::meanWait_s));
        Files.writeString(
                to.resolve("checkpoint-slowdown.svg"),
                ReductionChart.changes("mean bounded slowdown", results, Summary::meanBoundedSlowdown));
        out.println("wrote " + to.resolve("checkpoint.md"));
        return 0;
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
