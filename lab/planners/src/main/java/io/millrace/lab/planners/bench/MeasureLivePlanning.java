package io.millrace.lab.planners.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ./millrace bench live}: measures the cost of a revision of a live cluster: of a pass that starts jobs, and of one that also forecasts all
 * jobs. It measures processor time, so that other load changes the result little.
 */
@Command(
        name = "live",
        description = "Measures the cost of a revision of a live cluster, without and with forecasts of all jobs.")
public final class MeasureLivePlanning implements Callable<Integer> {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int REVISIONS = 60;
    private static final int WARM_UP = 20;

    /** Forecasts of all jobs are due after this time for a million jobs. */
    private static final int LONG_S = 100;

    @Parameters(
            arity = "0..*",
            paramLabel = "QUEUED",
            description = "numbers of waiting jobs (default: 1000 10000 100000)")
    private List<Integer> lengths = List.of(1_000, 10_000, 100_000);

    @Option(
            names = "--running",
            paramLabel = "JOBS",
            defaultValue = "10000",
            description = "number of running jobs (default: ${DEFAULT-VALUE})")
    private int running;

    private final PrintStream out;

    public MeasureLivePlanning(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        out.printf(
                Locale.ROOT,
                "%-34s %9s %12s %12s%n",
                "ms with " + running + " running jobs",
                "queued",
                "starts",
                "forecasts");
        for (final int queued : lengths) {
            measure("a job arrives, last in order", queued, LiveClusterFixture::arrivesLast);
            measure("a job arrives, first in order", queued, LiveClusterFixture::arrivesFirst);
            measure("a waiting job leaves", queued, LiveClusterFixture::leaves);
            measure("a job ends, others start", queued, LiveClusterFixture::ends);
            measure("an empty revision", queued, scene -> {});
        }
        return 0;
    }

    private void measure(final String what, final int queued, final Consumer<LiveClusterFixture> happens) {
        out.printf(
                Locale.ROOT,
                "%-34s %9d %12.3f %12.3f%n",
                what,
                queued,
                median(new LiveClusterFixture(queued, running), 0, happens),
                median(new LiveClusterFixture(queued, running), LONG_S, happens));
    }

    private static double median(
            final LiveClusterFixture scene, final int seconds, final Consumer<LiveClusterFixture> happens) {
        final double[] passes_ms = new double[REVISIONS];
        for (int i = -WARM_UP; i < REVISIONS; i++) {
            happens.accept(scene);
            scene.close(seconds);
            final long began = THREADS.getCurrentThreadCpuTime();
            scene.pass();
            passes_ms[Math.max(0, i)] = (THREADS.getCurrentThreadCpuTime() - began) / 1e6;
        }
        Arrays.sort(passes_ms);
        return passes_ms[REVISIONS / 2];
    }
}
