package io.millrace.lab.planners.experiment.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.lab.planners.experiment.TraceFolder;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.Summary;
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
import picocli.CommandLine.Mixin;

/** {@code ./millrace experiment checkpoint}: compares checkpoint backfill with EASY and conservative backfill. */
@Command(name = "checkpoint", description = "Compares checkpoint backfill with EASY and conservative backfill.")
public final class ExperimentCheckpoint implements Callable<Integer> {

    @Mixin
    private final TraceFolder traces = new TraceFolder();

    private final PrintStream out;

    public ExperimentCheckpoint(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        final Map<String, Map<String, Summary>> results = traces.study(this::trace);
        final Path to = traces.out();
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
        final int cores = trace.cores();
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
