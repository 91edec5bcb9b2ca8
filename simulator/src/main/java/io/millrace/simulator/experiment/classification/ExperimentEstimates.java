package io.millrace.simulator.experiment;

import io.millrace.backfill.domain.planner.BackfillPolicy;
import io.millrace.classifier.domain.estimate.JobProfile;
import io.millrace.classifier.domain.estimate.LastTwoRuns;
import io.millrace.classifier.domain.estimate.RunTimeEstimator;
import io.millrace.classifier.domain.estimate.SimilarRuns;
import io.millrace.model.policy.RunTimeEstimate;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.SimulatedJob;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.swf.SwfReader;
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
import picocli.CommandLine.Parameters;

/** {@code ./millrace experiment estimates}: compares estimates of run times with the baseline and with the users' own. */
@Command(
        name = "estimates",
        description = "Compares estimates of run times with those of the users and with a baseline.")
public final class ExperimentEstimates implements Callable<Integer> {

    private static final double[] QUANTILES = {0.5, 0.65, 0.8, 0.95};

    @Parameters(
            index = "0",
            paramLabel = "FOLDER",
            description = "folder with logs TRACE.swf.gz, or with a subfolder 'traces' that has them")
    private Path given = Path.of("traces");

    @Parameters(index = "1", paramLabel = "OUT", description = "folder for estimates.md")
    private Path to = Path.of(".");

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "TRACE",
            description = "names of logs (default: KTH-SP2 SDSC-SP2 SDSC-BLUE CTC-SP2)")
    private List<String> names = List.of("KTH-SP2", "SDSC-SP2", "SDSC-BLUE", "CTC-SP2");

    private final PrintStream out;

    public ExperimentEstimates(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException {
        final Path folder = Files.isDirectory(given.resolve("traces")) ? given.resolve("traces") : given;
        final Map<String, TraceAccuracy> results = new LinkedHashMap<>();
        for (final String name : names) {
            results.put(name, trace(SwfReader.read(folder.resolve(name + ".swf.gz"))));
            out.println(name);
        }
        Files.createDirectories(to);
        Files.writeString(to.resolve("estimates.md"), new EstimatesPage(results).text());
        out.println("wrote " + to.resolve("estimates.md"));
        return 0;
    }

    private static TraceAccuracy trace(final SwfTrace trace) {
        final int widest = trace.jobs().stream().mapToInt(SwfJob::cores).max().orElse(1);
        final List<SimulatedJob> schedule = Simulation.run(
                trace.jobs(),
                Math.max(widest, trace.maxProcs().orElse(widest)),
                BackfillPolicy.EASY_FCFS,
                EventOrder.PASS_PER_INSTANT);
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
