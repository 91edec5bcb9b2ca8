package io.millrace.lab.planners.experiment.classification;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.classifier.domain.estimate.JobProfile;
import io.millrace.classifier.domain.estimate.LastTwoRuns;
import io.millrace.classifier.domain.estimate.RunTimeEstimator;
import io.millrace.classifier.domain.estimate.SimilarRuns;
import io.millrace.lab.planners.experiment.TraceFolder;
import io.millrace.model.policy.RunTimeEstimate;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfTrace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./millrace experiment estimates}: compares estimates of run times with the baseline and with the users' own. */
@Command(
        name = "estimates",
        description = "Compares estimates of run times with those of the users and with a baseline.")
public final class ExperimentEstimates implements Callable<Integer> {

    private static final double[] QUANTILES = {0.5, 0.65, 0.8, 0.95};

    @Mixin
    private final TraceFolder traces = new TraceFolder();

    private final PrintStream out;

    public ExperimentEstimates(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        final Map<String, TraceAccuracy> results = traces.study((name, trace) -> {
            final TraceAccuracy result = trace(trace);
            out.println(name);
            return result;
        });
        final Path to = traces.out();
        Files.createDirectories(to);
        Files.writeString(to.resolve("estimates.md"), new EstimatesPage(results).text());
        out.println("wrote " + to.resolve("estimates.md"));
        return 0;
    }

    private static TraceAccuracy trace(final SwfTrace trace) {
        final List<SimulatedJob> schedule =
                Simulation.run(trace.jobs(), trace.cores(), BackfillPolicy.EASY_FCFS, EventOrder.PASS_PER_INSTANT);
        final Map<String, RunTimeEstimator> estimators = new LinkedHashMap<>();
        estimators.put(EstimatesPage.REQUESTED, new NoEstimates());
        estimators.put(EstimatesPage.BASELINE, new LastTwoRuns());
        for (final double quantile : QUANTILES) {
            estimators.put(EstimatesPage.quantile(quantile), new SimilarRuns(quantile));
        }
        final TraceAccuracy results = new TraceAccuracy();
        estimators.forEach((name, estimator) -> results.add(name, trace.jobs(), schedule, estimator));
        return results;
    }

    /** Leaves every job with its requested walltime. */
    private static final class NoEstimates implements RunTimeEstimator {
        @Override
        public void ended(final JobProfile job, final long run_s) {}

        @Override
        public Optional<RunTimeEstimate> estimate(final JobProfile job) {
            return Optional.empty();
        }
    }
}
