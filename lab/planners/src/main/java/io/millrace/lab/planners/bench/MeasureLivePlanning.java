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
import picocli.CommandLine.Parameters;

/**
 * {@code ./millrace bench live}: measures the cost of a revision of a live cluster, with state that is kept and from scratch. It measures
 * processor time, so that other load changes the result little.
 */
@Command(
        name = "live",
        description = "Measures the cost of a revision of a live cluster, with kept state and from scratch.")
public final class MeasureLivePlanning implements Callable<Integer> {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int RUNNING = 10_000;
    private static final int REVISIONS = 60;
    private static final int WARM_UP = 20;

    @Parameters(
            arity = "0..*",
            paramLabel = "QUEUED",
            description = "numbers of waiting jobs (default: 1000 10000 100000)")
    private List<Integer> lengths = List.of(1_000, 10_000, 100_000);

    private final PrintStream out;

    public MeasureLivePlanning(final PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {

        out.printf(
                Locale.ROOT,
                "%-34s %9s %12s %12s%n",
                "ms with " + RUNNING + " running jobs",
                "queued",
                "kept",
                "scratch");
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
                "%-34s %9d %12.3f %12.1f%n",
                what,
                queued,
                median(new LiveClusterFixture(queued, RUNNING), REVISIONS, WARM_UP, happens),
                median(new LiveClusterFixture(queued, RUNNING), 5, 3, happens.andThen(LiveClusterFixture::forget)));
    }

    private static double median(
            final LiveClusterFixture scene,
            final int revisions,
            final int warmUp,
            final Consumer<LiveClusterFixture> happens) {
        final double[] passes_ms = new double[revisions];
        for (int i = -warmUp; i < revisions; i++) {
            happens.accept(scene);
            scene.close();
            final long began = THREADS.getCurrentThreadCpuTime();
            scene.pass();
            passes_ms[Math.max(0, i)] = (THREADS.getCurrentThreadCpuTime() - began) / 1e6;
        }
        Arrays.sort(passes_ms);
        return passes_ms[revisions / 2];
    }
}
