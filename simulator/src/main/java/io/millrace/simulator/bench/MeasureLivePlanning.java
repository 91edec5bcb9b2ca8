package io.millrace.simulator.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * {@code ./millrace bench live [QUEUED…]}: what a revision of a live cluster costs backfill-service, with books that are kept and with books made from
 * scratch, for each length of the queue. It is processor time, so that a busy machine does not change it much.
 */
public final class MeasureLivePlanning {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int RUNNING = 10_000;
    private static final int REVISIONS = 60;
    private static final int WARM_UP = 20;

    private final PrintStream out;
    private final PrintStream err;

    public MeasureLivePlanning(final PrintStream out, final PrintStream err) {
        this.out = out;
        this.err = err;
    }

    public int run(final String... args) {
        final int[] lengths;
        try {
            lengths = Arrays.stream(args).mapToInt(Integer::parseInt).toArray();
        } catch (final NumberFormatException e) {
            err.println("usage: bench live [QUEUED...]   (numbers of waiting jobs; " + e.getMessage() + ")");
            return 2;
        }
        out.printf(
                Locale.ROOT, "%-34s %9s %12s %12s%n", "ms beside " + RUNNING + " running", "queued", "kept", "scratch");
        for (final int queued : lengths.length == 0 ? new int[] {1_000, 10_000, 100_000} : lengths) {
            measure("a job arrives, last in order", queued, LiveClusterFixture::arrivesLast);
            measure("a job arrives, first in order", queued, LiveClusterFixture::arrivesFirst);
            measure("a waiting job leaves", queued, LiveClusterFixture::leaves);
            measure("a job ends, others start", queued, LiveClusterFixture::ends);
            measure("nothing but a sign of life", queued, scene -> {});
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
